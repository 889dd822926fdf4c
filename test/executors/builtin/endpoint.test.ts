import { createServer } from 'node:http';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openModelServer } from '../../../demo/model/server.ts';
import {
  checkEndpointHealth,
  listEndpointModels,
  NOT_SET_UP,
} from '../../../src/executors/builtin/endpoint.ts';
import { readBuiltinSettings } from '../../../src/executors/builtin/settings.ts';

const test = suite('builtin endpoint');

/** An endpoint that answers everything with one status. */
async function openEndpoint(status: number, body = '{}') {
  const headers: Record<string, unknown>[] = [];
  const server = createServer((req, res) => {
    headers.push(req.headers);
    res.writeHead(status, { location: '/elsewhere' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    url,
    headers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('health and models are those of the endpoint', async () => {
  await using server = await openModelServer({ scripts: {} });
  for (const api of ['anthropic', 'openai'] as const) {
    const settings = readBuiltinSettings({ api, baseUrl: server.url, apiKey: 'key' });
    assert.equal(await checkEndpointHealth(settings), {
      ok: true,
      detail: `${server.url}/v1 answers.`,
    });
    assert.equal(await listEndpointModels(settings), [
      { id: 'claude-sonnet-4-5', title: 'claude-sonnet-4-5' },
      { id: 'scripted', title: 'scripted' },
    ]);
  }
  const [anthropic, , openai] = server.requests.all.map(({ headers }) => [
    headers['x-api-key'],
    headers.authorization,
  ]);
  assert.equal(anthropic, ['key', undefined]);
  assert.equal(openai, [undefined, 'Bearer key']);
});

test('an error names what is wrong with the endpoint, and where to fix it', async () => {
  const health = async (status: number, apiKey: string) => {
    await using server = await openEndpoint(status);
    const { ok, detail } = await checkEndpointHealth(
      readBuiltinSettings({ baseUrl: server.url, apiKey }),
    );
    return [ok, detail.replace(server.url, 'URL')];
  };
  assert.equal(await health(401, ''), [
    false,
    'URL/v1 requires a key (401): see plugins.installed.builtin.config.apiKey.',
  ]);
  assert.equal(await health(403, 'k'), [
    false,
    'URL/v1 refuses the key (403): see plugins.installed.builtin.config.apiKey.',
  ]);
  assert.equal(await health(500, 'k'), [false, 'URL/v1 answers 500.']);
  assert.equal(await health(404, 'k'), [
    true,
    'URL/v1 answers; it does not list its models (404).',
  ]);
  const redirected = await health(302, 'secret-key');
  assert.is(redirected[0], false, 'a key does not follow a redirect');
  for (const api of ['anthropic', 'openai']) {
    assert.equal(await checkEndpointHealth(readBuiltinSettings({ api })), {
      ok: false,
      detail: NOT_SET_UP,
    });
    assert.equal(await listEndpointModels(readBuiltinSettings({ api })), []);
  }
  const unreached = await checkEndpointHealth(
    readBuiltinSettings({ baseUrl: 'http://127.0.0.1:1' }),
  );
  assert.match(unreached.detail, /^http:\/\/127\.0\.0\.1:1\/v1 cannot be reached: /);
});

test('a login page is no list of models, and the endpoint is not well', async () => {
  await using server = await openEndpoint(200, '<html><title>Sign in</title></html>');
  const settings = readBuiltinSettings({ baseUrl: server.url, apiKey: 'k' });
  const says =
    /\/v1 answers with no content type instead of a list of models: Sign in\. Check .*baseUrl/;
  const { ok, detail } = await checkEndpointHealth(settings);
  assert.not.ok(ok);
  assert.match(detail, says);
  const failed = await listEndpointModels(settings).catch((error: unknown) => error);
  assert.match(Object(failed).message, says);
});

test.run();
