import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../src/base/time/clock.ts';
import { BuiltInService } from '../../src/plugins/builtInService.ts';
import { openServices } from '../../src/plugins/builtInServices.ts';
import { parsePluginManifest } from '../../src/plugins/manifest.ts';
import type { PluginSettings } from '../../src/contract/schema/runner/settings.ts';
import { FakeObservability } from '../support/agents/fakeObservability/server.ts';
import { catchRefusal } from '../support/refusal.ts';
import { unscreened } from '../support/standIns/unscreened.ts';

const test = suite('plugins: services that are built in');

const TOKEN = 'glsa_canary_token';

const openService = async (settings: Record<string, PluginSettings>): Promise<BuiltInService> => {
  const { all: services } = await openServices(settings, systemClock);
  return new BuiltInService({
    screen: unscreened,
    version: '1',
    executors: [],
    services: () => services,
    settings,
    hostEnv: {},
    clock: systemClock,
    answerMs: 5_000,
  });
};

const listStates = (host: BuiltInService) =>
  host
    .views()
    .flatMap(({ id, kind, health: { state, detail } }) =>
      kind === 'observability' ? [[id, state, detail]] : [],
    );

test('what is not configured is disabled, what is wrong unhealthy, what was not checked yet unchecked (TOOL-7)', async () => {
  const tempo = { config: { baseUrl: 'https://tempo.example' } };
  assert.equal(listStates(await openService({ tempo })), [
    ['loki', 'disabled', 'plugins.installed.loki is not configured.'],
    ['tempo', 'unchecked', ''],
  ]);
  assert.equal(
    listStates(
      await openService({ tempo: { ...tempo, enabled: false }, loki: { config: { url: 'x' } } }),
    ),
    [
      [
        'loki',
        'unhealthy',
        'plugins.installed.loki.config: "url" is not known (known: baseUrl, token, username, password, tenant, timeoutSeconds); "baseUrl" is missing: Address of Loki, or of Grafana\'s proxy to it: https://<grafana>/api/datasources/proxy/uid/<uid>.',
      ],
      ['tempo', 'disabled', 'plugins.installed.tempo.enabled is false.'],
    ],
  );
});

test('a look at its health asks the server with the login, and says nothing of it (TOOL-7)', async () => {
  await using fake = await new FakeObservability().start();
  fake.login = `Bearer ${TOKEN}`;
  fake.streams.push({ labels: { app: 'shop' }, entries: [] });
  const entry = (token: string) => ({
    config: { baseUrl: fake.url, token },
    allowHosts: ['127.0.0.1'],
  });
  const right = await openService({ loki: entry(TOKEN), tempo: entry(TOKEN) });
  const checkService = async (host: BuiltInService, id: string) => {
    const { state, detail } = await host.healthcheck(id);
    return [state, detail];
  };
  assert.equal(await checkService(right, 'loki'), ['healthy', 'labels: app']);
  assert.equal(await checkService(right, 'tempo'), [
    'healthy',
    'tags: http.status_code, service.name',
  ]);
  const [state, detail] = await checkService(
    await openService({ loki: entry(`${TOKEN}-of-before`) }),
    'loki',
  );
  assert.is(state, 'unhealthy');
  assert.match(detail ?? '', /requires a valid login for Loki/);
  assert.not.match(detail ?? '', /canary/);
});

test('a plugin of others cannot call itself one', async () => {
  const manifest = {
    contract: 1,
    id: 'mine',
    kind: 'observability',
    title: 'Mine',
    entry: './index.js',
  };
  assert.match(
    (await catchRefusal(() => parsePluginManifest(manifest))).message,
    /svc\.kind "observability" is not a kind of plugin\. Use one of: executor, /,
  );
});

test.run();
