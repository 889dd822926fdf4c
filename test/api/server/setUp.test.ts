import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { A_SET_UP } from '../../support/http/fakeSetUp.ts';
import { ask, openSurface, post, problemIn, WITH_TOKEN } from '../../support/http/httpSurface.ts';

const test = suite('http: the setup wizard');

test('GET /setup shows the steps; each answer and skip goes to its step (HTTP-1 CFG-5)', async () => {
  await using surface = await openSurface();
  assert.equal((await ask(surface, '/setup', { headers: WITH_TOKEN })).json, A_SET_UP);
  const answer = { choice: 'github', values: { token: 't' }, takeToken: false };
  const { json } = await post(surface, '/setup/scm', answer);
  assert.equal(Object(json).notes, ['Noted.']);
  await post(surface, '/setup/skip/tracker', {});
  await post(surface, '/setup/complete', {});
  assert.equal(surface.setUp.calls, [
    ['answer', 'scm', answer],
    ['skipStep', 'tracker'],
    ['complete'],
  ]);
});

test('a step that does not exist, and a member that is not known, are refused (HTTP-1 CFG-5)', async () => {
  await using surface = await openSurface();
  const unknown = await post(surface, '/setup/coffee', { choice: 'black' });
  assert.is(problemIn(unknown).code, 'not-found');
  const odd = await post(surface, '/setup/scm', { choice: 'github', sugar: 2 });
  assert.is(problemIn(odd).code, 'invalid');
  assert.equal(surface.setUp.calls, []);
});

test.run();
