import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../../../src/api/client/client.ts';
import { createDeferred } from '../../../../src/base/concurrency/createDeferred.ts';
import { OWN_CLIENT } from '../../../../src/base/http/ownHeaders.ts';
import { JOB_ID } from '../../../support/http/fakeFacade.ts';
import { TRUST_HASH } from '../../../support/http/fakeTrust.ts';
import { ask, openSurface, post, TOKEN, WITH_TOKEN } from '../../../support/http/httpSurface.ts';

const test = suite('audit: acts over HTTP');

test('an act is recorded with who, from where and on which job', async () => {
  await using surface = await openSurface();
  await post(surface, `/jobs/${JOB_ID}/resume`, { eventKey: 'reject' }, WITH_TOKEN);
  assert.equal(surface.trail.acts, [
    {
      n: 1,
      at: '2026-11-30T08:00:00.000Z',
      via: 'token',
      person: null,
      address: '127.0.0.1',
      action: 'resume',
      target: { eventKey: 'reject' },
      jobId: JOB_ID,
      failed: null,
    },
  ]);
});

test("svc's own command line and other programs with the token are distinguished", async () => {
  await using surface = await openSurface();
  const client = createClient({
    baseUrl: surface.url,
    token: TOKEN,
    userAgent: `${OWN_CLIENT}0.2.0`,
  });
  await client.pause(JOB_ID);
  assert.equal(
    surface.trail.acts.map(({ via, action }) => [via, action]),
    [['cli', 'pause']],
  );
});

test('a browser that follows a login link is recorded, and what it then does', async () => {
  await using surface = await openSurface();
  const login = await ask(surface, `/login/${surface.issueLoginCode()}`, {
    headers: { Accept: 'application/json' },
    anonymous: true,
  });
  const cookie = String(login.headers['set-cookie']).split(';', 1)[0] ?? '';
  const { pageKey } = JSON.parse(login.text);
  await post(surface, '/stop-all', {}, { Cookie: cookie, 'X-Svc-Page-Key': pageKey });
  assert.equal(
    surface.trail.acts.map(({ via, action }) => [via, action]),
    [
      ['dashboard', 'login'],
      ['dashboard', 'stopAll'],
    ],
  );
});

test('an act that is refused keeps its entry, with the code of the error', async () => {
  await using surface = await openSurface();
  await post(surface, '/trust', { repo: 'shop', hash: 'b'.repeat(64) }, WITH_TOKEN);
  assert.equal(
    surface.trail.acts.map(({ action, failed }) => [action, failed]),
    [['addTrust', 'conflict']],
  );
});

test('without a credential nothing is recorded', async () => {
  await using surface = await openSurface();
  await ask(surface, `/jobs/${JOB_ID}/pause`, { method: 'POST', anonymous: true });
  assert.equal(surface.trail.acts, []);
});

test('where no entry can be written nothing is done', async () => {
  await using surface = await openSurface();
  surface.trail.isFull = true;
  const { status } = await post(surface, '/trust', { repo: 'shop', hash: TRUST_HASH }, WITH_TOKEN);
  assert.is(status, 503);
  assert.equal(surface.trust.calls, []);
});

test('work can be stopped all the same', async () => {
  await using surface = await openSurface();
  surface.trail.isFull = true;
  assert.is((await post(surface, '/stop-all', {}, WITH_TOKEN)).status, 200);
  assert.equal(surface.trail.unrecorded, ['stopAll']);
});

test('a command does not wait for its entry: one commit carries both', async () => {
  await using surface = await openSurface();
  const { runner, trail } = surface;
  const entry = createDeferred<number>();
  const pause = runner.pause.bind(runner);
  trail.record = () => entry.promise;
  runner.pause = (...call) => {
    entry.resolve(1);
    return pause(...call);
  };
  assert.is((await post(surface, `/jobs/${JOB_ID}/pause`, {}, WITH_TOKEN)).status, 200);
});

test('the log is a page of GET /audit', async () => {
  await using surface = await openSurface();
  const client = createClient({ baseUrl: surface.url, token: TOKEN });
  await client.pause(JOB_ID);
  const { acts, total } = await client.audit();
  assert.is(total, 1);
  assert.is(acts[0]?.action, 'pause');
});

test.run();
