import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../../src/api/client/client.ts';
import {
  ask,
  openSurface,
  post,
  problemIn,
  TOKEN,
  WITH_TOKEN,
} from '../../support/http/httpSurface.ts';

const test = suite('http intelligence');

test('lint, layers and files by way of the client; versions travel as ETag and If-Match (INT-7)', async () => {
  await using surface = await openSurface();
  const client = createClient({ baseUrl: surface.url, token: TOKEN });
  assert.equal(await client.lintWorkflow({ path: 'workflows/a.md', text: 'x' }), {
    diagnostics: [],
    machine: null,
    proofs: [],
  });
  const { outcome, timeline } = await client.simulateWorkflow({
    path: 'workflows/a.md',
    text: 'x',
  });
  assert.is(outcome, 'complete');
  assert.equal(timeline, []);
  assert.equal(await client.intelligenceLayers({ repo: 'acme/site' }), { layers: [] });
  assert.equal(await client.intelligenceFile({ path: 'agents/a.md', layer: 'base' }), {
    etag: '"1"',
    file: { path: 'agents/a.md', layer: 'base', text: 'Text.', editable: false, layers: ['base'] },
  });
  assert.equal(await client.writeIntelligenceFile('agents/a.md', 'new', null), {
    path: 'agents/a.md',
    diagnostics: [],
    etag: '"2"',
  });
  await client.writeIntelligenceFile('agents/a.md', 'newer', '"2"');
  await client.removeIntelligenceFile('agents/a.md', '"3"');
  assert.equal(surface.runner.calls, [
    ['lintWorkflow', { path: 'workflows/a.md', text: 'x' }],
    ['simulateWorkflow', { path: 'workflows/a.md', text: 'x' }],
    ['intelligenceLayers', { repo: 'acme/site' }],
    ['intelligenceFile', { path: 'agents/a.md', layer: 'base' }],
    ['writeIntelligenceFile', 'agents/a.md', 'new', null],
    ['writeIntelligenceFile', 'agents/a.md', 'newer', '"2"'],
    ['removeIntelligenceFile', 'agents/a.md', '"3"'],
  ]);
});

test('a write needs the token, also on loopback, and a body that fits', async () => {
  await using surface = await openSurface();
  const json = { 'Content-Type': 'application/json' };
  const put = (headers: Record<string, string>, body: string) =>
    ask(surface, '/intelligence/file?path=agents/a.md', {
      method: 'PUT',
      anonymous: true,
      headers: { ...json, ...headers },
      body,
    });
  assert.is((await put({}, '{"text":"x"}')).status, 401);
  assert.is((await put(WITH_TOKEN, '{"text":7}')).status, 422);
  assert.is(
    (await put({ ...WITH_TOKEN, Origin: 'http://evil.example' }, '{"text":"x"}')).status,
    403,
  );
  assert.is(
    (
      await ask(surface, '/intelligence/file?path=agents/a.md', {
        method: 'DELETE',
        anonymous: true,
      })
    ).status,
    401,
  );
  assert.is(
    problemIn(await post(surface, '/workflows/lint', { path: 'x', text: 'x'.repeat(600_000) }))
      .code,
    'invalid',
  );
  assert.is((await ask(surface, '/intelligence/file?path=a.md&layer=other')).status, 400);
  assert.equal(surface.runner.calls, []);
});

test.run();
