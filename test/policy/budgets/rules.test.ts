import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Account, admitSession, openHold } from '../../../src/policy/budgets/admitSession.ts';
import {
  type CapLayers,
  resolveCaps,
  readConfigCaps,
} from '../../../src/policy/budgets/resolveCaps.ts';
import {
  computeNextWindow,
  resolveBudgetWindow,
} from '../../../src/policy/budgets/resolveBudgetWindow.ts';
import { formatAmount, NOTHING } from '../../../src/base/spending/budgetScopes.ts';
import { findLoosenedCaps } from '../../../src/base/spending/findLoosenedCaps.ts';

const test = suite('rules of budgets');

const layers = (more: Partial<CapLayers> = {}): CapLayers => ({
  config: {},
  headlessFactor: 1,
  interactive: true,
  ...more,
});

test('without a configured cap a job has none', () => {
  assert.equal(resolveCaps(layers()), []);
});

const CAPS: [string, Partial<CapLayers>, number, string][] = [
  ['the configuration alone', { config: { job: { usd: 10 } } }, 10_000_000, 'config'],
  [
    'a workflow that tightens',
    { config: { job: { usd: 10 } }, workflow: { job: { usd: 4 } } },
    4_000_000,
    'workflow',
  ],
  [
    'a workflow that would loosen',
    { config: { job: { usd: 10 } }, workflow: { job: { usd: 40 } } },
    10_000_000,
    'config',
  ],
  [
    'params below a workflow',
    { workflow: { job: { usd: 4 } }, params: { job: { usd: 1.5 } } },
    1_500_000,
    'params',
  ],
  [
    'params that would loosen a workflow',
    { workflow: { job: { usd: 4 } }, params: { job: { usd: 5 } } },
    4_000_000,
    'workflow',
  ],
  [
    'half of it for a job without a person',
    { config: { job: { usd: 10 } }, headlessFactor: 0.5, interactive: false },
    5_000_000,
    'config',
  ],
  [
    'all of it for an interactive job',
    { config: { job: { usd: 10 } }, headlessFactor: 0.5 },
    10_000_000,
    'config',
  ],
];

for (const [title, caps, count, by] of CAPS) {
  test(`the cap of a job in dollars: ${title} (CFG-1)`, () => {
    assert.equal(resolveCaps(layers(caps)), [{ scope: 'job', metric: 'usd', count, by }]);
  });
}

test('neither workflows nor params cap what belongs to all jobs', () => {
  assert.equal(
    resolveCaps(layers({ workflow: { day: { usd: 1 } }, params: { runner: { usd: 1 } } })),
    [],
  );
});

test('minutes are counted in milliseconds', () => {
  assert.is(resolveCaps(layers({ config: { session: { minutes: 1.5 } } }))[0]?.count, 90_000);
});

test('half of one session is one session', () => {
  const halved = readConfigCaps(
    layers({ config: { job: { sessions: 1 } }, headlessFactor: 0.5, interactive: false }),
  );
  assert.equal(halved, { job: { sessions: 1 } });
});

test('the factor leaves caps of all jobs as they are', () => {
  const config = { day: { usd: 50 } };
  assert.equal(readConfigCaps(layers({ config, headlessFactor: 0.5, interactive: false })), config);
});

test('what a lower layer would loosen is named with both values', () => {
  const loosenedCaps = findLoosenedCaps(
    { job: { usd: 10, tokens: 5 } },
    { job: { usd: 11, tokens: 5 } },
  );
  assert.equal(loosenedCaps, [{ scope: 'job', metric: 'usd', given: 11, cap: 10 }]);
});

const AT = Date.parse('2026-11-22T23:59:59.999Z');

test('a day is one in UTC', () => {
  assert.is(resolveBudgetWindow('day', AT), '2026-11-22');
});
test('a week is that of its Monday in UTC', () => {
  assert.is(resolveBudgetWindow('week', AT), '2026-11-16');
});
test('a Monday begins a week', () => {
  assert.is(resolveBudgetWindow('week', AT + 1), '2026-11-23');
});
test('a job has one window', () => {
  assert.is(resolveBudgetWindow('job', AT), '');
});
test('the next day begins at midnight in UTC', () => {
  assert.is(computeNextWindow('day', AT), Date.parse('2026-11-23T00:00:00Z'));
});
test('the next week begins on Monday in UTC', () => {
  assert.is(computeNextWindow('week', AT + 1), Date.parse('2026-11-30T00:00:00Z'));
});
test('the budget of a job has no next window', () => {
  assert.is(computeNextWindow('job', AT), null);
});

const account = (more: Partial<Account>): Account => ({
  scope: 'job',
  key: 'job-1',
  window: '',
  metric: 'usd',
  cap: 10_000_000,
  by: 'config',
  spent: 0,
  held: 0,
  ...more,
});

const WANT = {
  likely: { usd: 2_000_000, tokens: 1_000, sessions: 1, visits: 1, minutes: 60_000 },
  least: { ...NOTHING, usd: 250_000, sessions: 1 },
};

test('a session holds what it is likely to use', () => {
  assert.equal(admitSession([account({})], WANT), { kind: 'go', hold: WANT.likely });
});

test('a session holds no more than the tightest account has left', () => {
  const day = account({ scope: 'day', spent: 9_000_000 });
  const admitted = admitSession([account({}), day], WANT);
  assert.equal(admitted, { kind: 'go', hold: { ...WANT.likely, usd: 1_000_000 } });
});

test('what others hold is not left', () => {
  const admitted = admitSession([account({ spent: 1_000_000, held: 8_000_000 })], WANT);
  assert.equal(admitted, { kind: 'go', hold: { ...WANT.likely, usd: 1_000_000 } });
});

test('less than 0.25 dollars is not enough to begin', () => {
  const spent = account({ spent: 9_750_001 });
  assert.equal(admitSession([spent], WANT), { kind: 'over', account: spent });
});

test('0.25 dollars are enough to begin', () => {
  const admitted = admitSession([account({ spent: 9_750_000 })], WANT);
  assert.equal(admitted, { kind: 'go', hold: { ...WANT.likely, usd: 250_000 } });
});

test('a cap of less than 0.25 dollars can be begun with', () => {
  const admitted = admitSession([account({ cap: 100_000 })], WANT);
  assert.equal(admitted, { kind: 'go', hold: { ...WANT.likely, usd: 100_000 } });
});

test('a session waits for what others hold', () => {
  const busyAccount = account({ scope: 'day', held: 9_900_000 });
  assert.equal(admitSession([busyAccount], WANT), { kind: 'wait', account: busyAccount });
});

test('a budget that is spent counts before one that others hold', () => {
  const busyAccount = account({ scope: 'day', held: 9_900_000 });
  const spent = account({ spent: 10_000_000 });
  assert.equal(admitSession([busyAccount, spent], WANT), { kind: 'over', account: spent });
});

test('a metric of which nothing has to be left needs one unit of it', () => {
  const tokens = account({ metric: 'tokens', cap: 100, spent: 100 });
  assert.equal(admitSession([tokens], WANT), { kind: 'over', account: tokens });
});

test('a hold that is used up is open no more, however much was used', () => {
  const hold = { ...NOTHING, usd: 5, tokens: 10 };
  assert.equal(openHold(hold, { ...NOTHING, usd: 7, tokens: 4 }), { ...NOTHING, tokens: 6 });
});

test('dollars are written with two digits', () => {
  assert.is(formatAmount('usd', 4_200_000), '$4.20');
});
test('one minute is no plural', () => {
  assert.is(formatAmount('minutes', 60_000), '1 minute');
});
test('a small amount is not written as none', () => {
  assert.is(formatAmount('minutes', 1_800), '0.03 minutes');
  assert.is(formatAmount('usd', 1_234), '$0.0012');
});

test.run();
