import { mayAlwaysAct } from '../../src/base/concurrency/mayAct.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fillConfigDefaults } from '../../src/host/config/mistakes/checkConfig.ts';
import { convertLegacy } from '../../src/host/config/file/readConfig.ts';
import { openForges } from '../../src/plugins/builtInForges.ts';
import { openTrackers } from '../../src/plugins/builtInTrackers.ts';
import type { PluginSettings } from '../../src/contract/schema/runner/settings.ts';
import type { Account, AccountLimits } from '../../src/contract/forge/account.ts';
import { createAccounts } from '../../src/providers/account/accounts.ts';
import { isRemote } from '../../src/contract/forge/remoteForge.ts';
import { ForgeRows } from '../support/forges/forgeRows.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { unscreened } from '../support/standIns/unscreened.ts';

const test = suite('plugins: trackers that are configured');

const TOKEN = 'tracker-secret';
const JIRA = { baseUrl: 'https://acme.atlassian.net', username: 'ann@acme.test', token: TOKEN };

/** Opening trackers sends no request; later requests are answered here. */
function world(
  answer: () => Promise<Response> = () =>
    Promise.reject(new Error('no request is sent at the start')),
) {
  const clock = new SimulatedClock();
  const openAccount = createAccounts({
    mayAct: mayAlwaysAct,
    screen: unscreened,
    clock,
    random: () => 0.5,
    fetch: answer,
  });
  const accounts: Account[] = [];
  const open = (settings: Record<string, PluginSettings>) =>
    openTrackers({
      settings,
      clock,
      openAccount: (account, options) => {
        accounts.push(account);
        return openAccount(account, options);
      },
    });
  return { clock, openAccount, open, accounts };
}

const listSeenTrackers = async (settings: Record<string, PluginSettings>) =>
  (await world().open(settings)).map(({ id, configured, problem, tracker, webhook }) => {
    const state = !configured
      ? 'off'
      : problem !== null
        ? problem
        : tracker !== null
          ? 'open'
          : 'nothing';
    return `${id}: ${state}${webhook ? ', hooks' : ''}`;
  });

test('trackers exist if they are configured and not switched off (CFG-2 TOOL-8)', async () => {
  assert.equal(await listSeenTrackers({}), ['jira: off', 'linear: off', 'github-issues: off']);
  assert.equal(
    await listSeenTrackers({
      jira: { config: { ...JIRA, webhookSecret: 'a secret' } },
      linear: { enabled: false, config: { apiKey: TOKEN } },
      github: { config: { token: TOKEN } },
      'github-issues': {},
    }),
    ['jira: open, hooks', 'linear: off', 'github-issues: open'],
  );
});

test('limits of Jira are of seconds, those of others of an hour', async () => {
  const accountLimits: AccountLimits[] = [];
  await openTrackers({
    settings: { jira: { config: JIRA }, linear: { config: { apiKey: TOKEN } } },
    clock: new SimulatedClock(),
    openAccount(account, limits) {
      accountLimits.push(limits);
      return world().openAccount(account, limits);
    },
  });
  assert.equal(
    accountLimits.map(({ shortWindows }) => shortWindows),
    [true, undefined],
  );
});

test('wrong settings disable one tracker and say why, without the token; the others continue (CFG-2)', async () => {
  const wrong: readonly (readonly [PluginSettings['config'], RegExp])[] = [
    [{ username: 'ann@acme.test', token: TOKEN }, /"baseUrl" is missing/],
    [
      { ...JIRA, baseUrl: 'http://acme.atlassian.net' },
      /config\.baseUrl must be the https:\/\/ address/,
    ],
    [
      { ...JIRA, username: '', deployment: 'cloud' },
      /config\.username is missing: Jira Cloud needs the e-mail address/,
    ],
    [{ ...JIRA, deployment: 'moon' }, /"deployment" must be one of auto, cloud, datacenter/],
  ];
  for (const [config = {}, why] of wrong) {
    const [jira, linear] = await listSeenTrackers({
      jira: { config },
      linear: { config: { apiKey: TOKEN } },
    });
    assert.match(jira ?? '', why);
    assert.not.match(jira ?? '', /secret/);
    assert.is(linear, 'linear: open');
  }
  assert.match(
    (await listSeenTrackers({ 'github-issues': {} }))[2] ?? '',
    /uses the account of plugins\.installed\.github, which is not configured/,
  );
});

test('the older tracker blocks open the same trackers (CFG-1)', async () => {
  for (const [provider, block, answer] of [
    [
      'jira',
      { baseUrl: 'https://acme.atlassian.net', username: 'ann@acme.test', token: TOKEN },
      'jira: open',
    ],
    ['linear', { apiKey: TOKEN, teamKey: 'ENG' }, 'linear: open'],
  ] as const) {
    const { config } = convertLegacy(
      fillConfigDefaults({ tracker: { provider, [provider]: block } }),
    );
    assert.ok((await listSeenTrackers(config.plugins.installed)).includes(answer), provider);
  }
});

test('issues of GitHub go through the accountClient of its pull requests, so that the budget is counted once', async () => {
  const it = world(
    async () =>
      new Response(JSON.stringify({ login: 'svc' }), {
        headers: { 'content-type': 'application/json' },
      }),
  );
  const plugins = { github: { config: { token: TOKEN } }, 'github-issues': {} };
  const settings = { home: '/nonexistent', forges: { local: { repos: {} } }, plugins };
  const forges = await openForges({
    mayAct: mayAlwaysAct,
    settings,
    clock: it.clock,
    rows: new ForgeRows(),
    webUrl: () => '',
    openAccount: it.openAccount,
  });
  const tracker = (await it.open(plugins)).find(({ id }) => id === 'github-issues')?.tracker;
  const forge = forges.find(({ id }) => id === 'github')?.forge;
  if (!forge || !isRemote(forge)) throw new Error('there is no forge');
  await tracker?.ownIds?.();
  await forge.self();
  assert.equal(forge.budget().sent, 2);
  assert.equal(tracker?.budget()?.sent, 2);
  assert.equal(it.accounts, [{ host: 'github.com', secret: TOKEN }]);
});

test.run();
