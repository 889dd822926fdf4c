import { mayAlwaysAct } from '../../src/base/concurrency/mayAct.ts';
import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fillConfigDefaults } from '../../src/host/config/mistakes/checkConfig.ts';
import { convertLegacy } from '../../src/host/config/file/readConfig.ts';
import {
  toForgeServices,
  toLocalForgeService,
  openForges,
} from '../../src/plugins/builtInForges.ts';
import type { PluginSettings } from '../../src/contract/schema/runner/settings.ts';
import { createAccounts } from '../../src/providers/account/accounts.ts';
import { ForgeRows } from '../support/forges/forgeRows.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { codeOfRefusal } from '../support/refusal.ts';
import { unscreened } from '../support/standIns/unscreened.ts';

const test = suite('plugins: forges that are configured');

const TOKEN = 'ghp_secretsecretsecret';

const openConfiguredForges = (plugins: Record<string, PluginSettings>) => {
  const settings = { home: '/nonexistent', forges: { local: { repos: {} } }, plugins };
  const clock = new SimulatedClock();
  return openForges({
    mayAct: mayAlwaysAct,
    settings,
    clock,
    rows: new ForgeRows(),
    webUrl: () => '',
    openAccount: createAccounts({
      mayAct: mayAlwaysAct,
      screen: unscreened,
      clock,
      random: () => 0.5,
      fetch: () => Promise.reject(new Error('no request is sent at the start')),
    }),
  });
};

const summariseForges = async (plugins: Record<string, PluginSettings>) => {
  const forges = await openConfiguredForges(plugins);
  return forges.map(({ id, forge, problem, watch, webhook }) => ({
    id,
    usable: forge !== null,
    problem,
    ms: watch.intervalMs,
    hooks: webhook !== null,
  }));
};

const LOCAL = { id: 'local', usable: true, problem: null, ms: 60_000, hooks: false };

test('the local forge is always there; GitHub where it is configured and not switched off', async () => {
  assert.equal(await summariseForges({}), [LOCAL]);
  assert.equal(await summariseForges({ github: { enabled: false, config: { token: TOKEN } } }), [
    LOCAL,
  ]);
  assert.equal(await summariseForges({ github: { config: { token: TOKEN } } }), [
    LOCAL,
    { id: 'github', usable: true, problem: null, ms: 60_000, hooks: false },
  ]);
  const more = { token: TOKEN, pollSeconds: 5, webhookSecret: 'a secret' };
  assert.equal((await summariseForges({ github: { config: more } }))[1], {
    id: 'github',
    usable: true,
    problem: null,
    ms: 5_000,
    hooks: true,
  });
});

test('a delivery that the control plane forwards is verified again where the secret is here (EVT-3)', async () => {
  const rawBody = Buffer.from('{"zen":"Design for failure."}');
  const digest = createHmac('sha256', 'a secret').update(rawBody).digest('hex');
  const readForwarded = async (config: PluginSettings['config'], signature: string) => {
    const [, github] = await openConfiguredForges({
      github: { config: { token: TOKEN, ...config } },
    });
    const headers = { 'x-github-delivery': 'd-1', 'x-hub-signature-256': signature };
    return github?.forwarded?.({ rawBody, headers, receivedAt: 0 }).id;
  };
  const good = `sha256=${digest}`;
  const wrong = `sha256=${'0'.repeat(64)}`;
  assert.is(await readForwarded({}, wrong), 'd-1');
  assert.is(await readForwarded({ webhookSecret: 'a secret' }, good), 'd-1');
  assert.is(
    await codeOfRefusal(() => readForwarded({ webhookSecret: 'a secret' }, wrong)),
    'unauthorized',
  );
});

test('wrong settings disable one forge and say why, without the token; the others continue', async () => {
  const wrong = [
    {},
    { token: TOKEN, baseUrl: 'http://git.acme.test' },
    { token: TOKEN, mergeMethod: 'force' },
    { token: TOKEN, speed: 1 },
  ];
  for (const config of wrong) {
    const [local, github] = await summariseForges({ github: { config } });
    assert.equal(local, LOCAL);
    assert.equal(github?.usable, false);
    assert.match(github?.problem ?? '', /^plugins\.installed\.github\.config/);
    assert.not.match(github?.problem ?? '', /ghp_/);
  }
});

test('wrong settings of the local forge stop no runner, and are its problem (CFG-2)', async () => {
  const plugins = { local: { config: { wakeAuthors: 5, ignoreAuthors: 'bot' } } };
  const [local] = await openConfiguredForges(plugins);
  assert.is(local?.forge?.id, 'local');
  assert.equal(toLocalForgeService(plugins), {
    id: 'local',
    configured: true,
    problem:
      'plugins.installed.local.config: "wakeAuthors" must be a string. The default applies instead.',
  });
  assert.is(local?.watch.rules.never.has('bot'), true);
});

test('the plugin host gets the configured forges, what is wrong with them, and how to check them', async () => {
  const services = toForgeServices(
    await openConfiguredForges({ github: { config: { token: TOKEN } }, gitlab: { config: {} } }),
  );
  assert.equal(
    services.map(({ id, configured: is, problem, healthcheck }) => [
      id,
      is,
      problem !== null,
      healthcheck !== undefined,
    ]),
    [
      ['github', true, false, true],
      ['gitlab', true, true, false],
      ['bitbucket', false, false, false],
    ],
  );
});

test('an older git block is a GitHub forge (CFG-1)', async () => {
  const written = fillConfigDefaults({
    git: { provider: 'github', workspace: 'acme', username: 'ann', token: TOKEN },
  });
  const { config } = convertLegacy(written);
  assert.equal((await summariseForges(config.plugins.installed))[1], {
    id: 'github',
    usable: true,
    problem: null,
    ms: 60_000,
    hooks: false,
  });
});

/** The first request about a repository `shop`, of the forge that an older git block configures. */
async function firstRequest(git: { provider: string; workspace: string; username: string }) {
  const { config } = convertLegacy(fillConfigDefaults({ git: { ...git, token: TOKEN } }));
  const clock = new SimulatedClock();
  const requests: { address: string; authorization: string | null }[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const { origin, pathname } = new URL(String(url));
    requests.push({
      address: origin + pathname,
      authorization: new Headers(init?.headers).get('authorization'),
    });
    // GitLab answers with a list, Bitbucket with a page of one.
    return Response.json(git.provider === 'gitlab' ? [] : { values: [] });
  };
  const forges = await openForges({
    mayAct: mayAlwaysAct,
    settings: {
      home: '/nonexistent',
      forges: { local: { repos: {} } },
      plugins: config.plugins.installed,
    },
    clock,
    rows: new ForgeRows(),
    webUrl: () => '',
    openAccount: createAccounts({
      mayAct: mayAlwaysAct,
      screen: unscreened,
      clock,
      random: () => 0.5,
      fetch,
    }),
  });
  const forge = forges.find(({ id }) => id === git.provider)?.forge;
  assert.equal(await forge?.pullRequests('shop'), []);
  return requests[0];
}

test('an older git block of Bitbucket works with its workspace, user name and token (CFG-1)', async () => {
  assert.equal(
    await firstRequest({ provider: 'bitbucket', workspace: 'acme', username: 'ann@acme.test' }),
    {
      address: 'https://api.bitbucket.org/2.0/repositories/acme/shop/pullrequests',
      authorization: `Basic ${Buffer.from(`ann@acme.test:${TOKEN}`).toString('base64')}`,
    },
  );
});

test('an older git block of GitLab works with its group, which may be nested, and its token (CFG-1)', async () => {
  assert.equal(await firstRequest({ provider: 'gitlab', workspace: 'acme/web', username: 'ann' }), {
    address: 'https://gitlab.com/api/v4/projects/acme%2Fweb%2Fshop/merge_requests',
    authorization: `Bearer ${TOKEN}`,
  });
});

test.run();
