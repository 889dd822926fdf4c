import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../../src/api/client/client.ts';
import { DOCS_SERVER, JOB_ID } from '../../support/http/fakeFacade.ts';
import { TRUST_HASH, TRUSTED, UNTRUSTED } from '../../support/http/fakeTrust.ts';
import {
  ask,
  openSurface,
  post,
  problemIn,
  TOKEN,
  WITH_TOKEN,
} from '../../support/http/httpSurface.ts';

const test = suite('http trust');

test('trust is shown, given for what was shown, and taken back, by way of the client too', async () => {
  await using surface = await openSurface();
  const client = createClient({ baseUrl: surface.url, token: TOKEN });
  assert.equal(await client.trust(), [UNTRUSTED]);
  assert.equal(await client.addTrust({ repo: 'shop', hash: TRUST_HASH }), TRUSTED);
  await client.removeTrust('acme/site');
  assert.equal(surface.trust.calls, [
    ['add', { repo: 'shop', hash: TRUST_HASH }],
    ['remove', 'acme/site'],
  ]);
  assert.is(
    problemIn(await post(surface, '/trust', { repo: 'shop', hash: 'b'.repeat(64) }, WITH_TOKEN))
      .code,
    'conflict',
  );
});

test('trust without the hash of what was shown is refused, and so is a page of another origin', async () => {
  await using surface = await openSurface();
  for (const body of [
    {},
    { repo: 'shop' },
    { repo: 'shop', hash: 'x' },
    { repo: 'shop', hash: TRUST_HASH, all: true },
  ]) {
    assert.is((await post(surface, '/trust', body, WITH_TOKEN)).status, 422, JSON.stringify(body));
  }
  const foreign = await post(
    surface,
    '/trust',
    { repo: 'shop', hash: TRUST_HASH },
    { Origin: 'http://evil.example' },
  );
  assert.equal(foreign.status, 403);
  assert.equal(surface.trust.calls, []);
});

test('the tool servers of a job and those that would be inherited are shown without what is secret (TOOL-10, HTTP-5)', async () => {
  await using surface = await openSurface();
  const client = createClient({ baseUrl: surface.url });
  assert.equal(await client.mcpServers(JOB_ID), { servers: [DOCS_SERVER], notes: [] });
  assert.equal((await client.inheritedMcps()).servers, []);
  assert.is((await ask(surface, '/jobs/svc-job-1/mcp-servers')).status, 404);
});

test.run();
