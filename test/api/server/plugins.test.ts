import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createClient } from '../../../src/api/client/client.ts';
import { PLUGIN } from '../../support/http/fakePlugins.ts';
import {
  ask,
  openSurface,
  post,
  problemIn,
  TOKEN,
  WITH_TOKEN,
} from '../../support/http/httpSurface.ts';

const test = suite('http plugins');

test('every route of the plugins reaches the host, by way of the client too (HTTP-6)', async () => {
  await using surface = await openSurface();
  const client = createClient({ baseUrl: surface.url, token: TOKEN });
  assert.equal(await client.plugins(), [PLUGIN]);
  assert.equal(await client.installPlugin({ spec: 'svc-plugin-hello', id: 'hello' }), PLUGIN);
  assert.equal(await client.pluginModels('hello'), [{ id: 'small', title: 'The small one' }]);
  assert.equal(await client.checkPlugin('hello'), PLUGIN.health);
  assert.is((await client.testPlugin('hello')).passed, false);
  assert.equal(await client.detectPluginAuth('hello'), [{ setting: 'apiKey', env: 'HELLO_KEY' }]);
  await client.uninstallPlugin('hello');
  assert.equal(surface.plugins.calls, [
    ['install', { spec: 'svc-plugin-hello', id: 'hello' }],
    ['models', 'hello'],
    ['healthcheck', 'hello'],
    ['test', 'hello'],
    ['detectAuth', 'hello'],
    ['uninstall', 'hello'],
  ]);
  assert.is((await post(surface, '/plugins/install', { spec: 'x' }, WITH_TOKEN)).status, 201);
  assert.is(
    (
      await ask(surface, '/plugins/hello', {
        method: 'DELETE',
        headers: { 'Content-Type': 'application/json' },
      })
    ).status,
    204,
  );
});

test('a plugin that is removed takes its secrets with it, and leaves its other settings (HTTP-6, CFG-2)', async () => {
  await using surface = await openSurface();
  const config = { apiKey: '********', size: 3 };
  surface.config.reply = {
    ...surface.config.reply,
    config: { plugins: { installed: { hello: { config } } } },
  };
  const client = createClient({ baseUrl: surface.url, token: TOKEN });
  const [secret] = Object.entries((await client.plugins())[0]?.settings ?? {});
  assert.equal([secret?.[0], secret?.[1].secret], ['apiKey', true]);
  await client.uninstallPlugin('hello');
  assert.equal(surface.config.calls.at(-1), [
    'change',
    { plugins: { installed: { hello: { config: { apiKey: null } } } } },
    null,
  ]);
});

test('what the environment holds for a plugin goes into the configuration, and not into the reply (HTTP-6)', async () => {
  await using surface = await openSurface();
  surface.config.reply = {
    ...surface.config.reply,
    restart: ['plugins.installed.hello.config.apiKey'],
  };
  const reply = await createClient({ baseUrl: surface.url, token: TOKEN }).applyPluginAuth(
    'hello',
    { settings: ['apiKey'] },
  );
  assert.equal(reply, {
    applied: [{ setting: 'apiKey', env: 'HELLO_KEY' }],
    restart: ['plugins.installed.hello.config.apiKey'],
  });
  assert.equal(surface.plugins.calls[0], ['foundSecrets', 'hello', ['apiKey']]);
  const patch = { plugins: { installed: { hello: { config: { apiKey: 'canary-key' } } } } };
  assert.equal(surface.config.calls, [['change', patch, '*']]);
});

test('what cannot be a plugin is refused before the host is asked (HTTP-6)', async () => {
  await using surface = await openSurface();
  for (const body of [{}, { spec: '' }, { spec: 'x', id: '../x' }, { spec: 'x', scripts: true }]) {
    assert.is(
      (await post(surface, '/plugins/install', body, WITH_TOKEN)).status,
      422,
      JSON.stringify(body),
    );
  }
  for (const id of ['..%2f..', 'UPPER', '-x', 'a'.repeat(41)]) {
    assert.is(
      (await ask(surface, `/plugins/${id}/models`, { headers: WITH_TOKEN })).status,
      404,
      id,
    );
  }
  assert.equal(surface.plugins.calls, []);
  assert.equal(problemIn(await ask(surface, '/plugins/other/models', { headers: WITH_TOKEN })), {
    status: 404,
    code: 'not-found',
    detail: 'No plugin other is installed.',
  });
});

test('a page of another origin cannot install anything', async () => {
  await using surface = await openSurface();
  const answer = await post(
    surface,
    '/plugins/install',
    { spec: 'x' },
    { Origin: 'http://evil.example' },
  );
  assert.equal(answer.status, 403);
  assert.equal(surface.plugins.calls, []);
});

test.run();
