import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { JOB_ID } from '../../support/http/fakeFacade.ts';
import { openSurface, post, WITH_TOKEN } from '../../support/http/httpSurface.ts';

const test = suite('http: requests in the log');

test('a request is logged by its route, with who asked and how it failed, and without its body', async () => {
  await using surface = await openSurface();
  await post(surface, '/trust', { repo: 'shop', hash: 'b'.repeat(64) }, WITH_TOKEN);
  await post(surface, `/jobs/${JOB_ID}/pause`, {}, WITH_TOKEN);
  assert.equal(
    surface.debugged.map(([{ route, by, failed }]) => ({ route, by, failed })),
    [
      { route: 'addTrust', by: 'token', failed: 'conflict' },
      { route: 'pause', by: 'token', failed: null },
    ],
  );
  assert.not.match(JSON.stringify(surface.debugged), 'bbbb');
});

test.run();
