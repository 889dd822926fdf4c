import { mayAlwaysAct } from '../../src/base/concurrency/mayAct.ts';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openForges } from '../../src/plugins/builtInForges.ts';
import type { ProviderEvent } from '../../src/contract/schema/forge/pr.ts';
import { createAccounts } from '../../src/providers/account/accounts.ts';
import { mayWake, mayWakeLocally } from '../../src/providers/rest/wakeRules.ts';
import { ForgeRows } from '../support/forges/forgeRows.ts';
import { SimulatedClock } from '../support/charts/simulatedClock.ts';
import { unscreened } from '../support/standIns/unscreened.ts';

const test = suite('whose doings wake jobs');

const event = (author: string, kind: ProviderEvent['kind'] = 'commented'): ProviderEvent => ({
  kind,
  forge: 'local',
  repo: 'shop',
  number: 1,
  prId: 'local:shop#1',
  author,
  text: 'x',
  url: '',
  externalId: 'e',
  happenedAt: 1,
});

const localWith = async (config: Record<string, unknown>) => {
  const clock = new SimulatedClock();
  const plugins = { local: { config } };
  const [local] = await openForges({
    mayAct: mayAlwaysAct,
    settings: { home: '/nonexistent', forges: { local: { repos: {} } }, plugins },
    clock,
    rows: new ForgeRows(),
    webUrl: () => '',
    openAccount: createAccounts({
      mayAct: mayAlwaysAct,
      screen: unscreened,
      clock,
      random: () => 0.5,
      fetch: () => Promise.reject(new Error('no request is expected')),
    }),
  });
  if (!local) throw new Error('there is always a local forge');
  return local;
};

const readRules = async (config: Record<string, unknown>) => (await localWith(config)).watch.rules;

test('on the local forge everybody counts unless the configuration names those who do, or do not (EVT-3)', async () => {
  const listWakingAuthors = async (config: Record<string, unknown>) => {
    const rules = await readRules(config);
    return ['ann', 'Bob', 'svc:other-job-1'].filter((author) =>
      mayWakeLocally(event(author), rules),
    );
  };
  assert.equal(await listWakingAuthors({}), ['ann', 'Bob', 'svc:other-job-1']);
  assert.equal(await listWakingAuthors({ wakeAuthors: '@bob' }), ['Bob']);
  assert.equal(await listWakingAuthors({ ignoreAuthors: 'ann, svc:other-job-1' }), ['Bob']);
  const strict = await readRules({ wakeAuthors: 'zoe' });
  assert.ok(
    mayWakeLocally(event('ann', 'merged'), strict),
    'a merge is reported regardless of its author',
  );
});

test('own doings and programs never wake, whatever is configured; a merge does', async () => {
  const rules = await readRules({ wakeAuthors: '*' });
  const news = { event: event('ann'), own: false, bot: false, member: false };
  assert.equal(
    [
      news,
      { ...news, own: true },
      { ...news, bot: true },
      { ...news, own: true, event: event('svc', 'merged') },
    ].map((one) => mayWake(one, rules)),
    [true, false, false, true],
  );
});

test('a setting that does not exist is named as the problem of the local forge, and its other settings apply', async () => {
  const { problem, watch } = await localWith({ wakeAuthor: 'ann', ignoreAuthors: 'bob' });
  assert.is(
    problem,
    'plugins.installed.local.config: "wakeAuthor" is not known (did you mean "wakeAuthors"?). The default applies instead.',
  );
  assert.equal(
    ['ann', 'bob'].map((author) => mayWakeLocally(event(author), watch.rules)),
    [true, false],
  );
});

test.run();
