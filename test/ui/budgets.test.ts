import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BudgetView } from '../../src/contract/schema/policy/budget.ts';
import { describeBudgetOwner } from '../../src/base/spending/describeBudgetOwner.ts';
import { formatWrittenAmount } from '../../src/base/spending/budgetScopes.ts';
import {
  listAlsoSpentBudgets,
  computeNeededRaises,
  suggestBudgetRaise,
  parseTypedAmount,
} from '../../ui/budgets/budgetAmounts.ts';
import { toBudgetMark } from '../../ui/budgets/budgetText.ts';

const test = suite('dashboard: budgets');

const RAISES = [
  ['usd', 10, 10, 5],
  ['usd', 10, 10.04, 6],
  ['usd', 0.2, 0.2, 1],
  ['usd', 1_000, 1_011, 520],
  ['tokens', 2_000_000, 2_010_000, 1_100_000],
  ['sessions', 1, 1, 1],
  ['sessions', 12, 12, 6],
  ['visits', 3, 3, 2],
  ['minutes', 4, 4, 5],
  ['minutes', 90, 91.5, 47],
] as const;

for (const [metric, cap, spent, raise] of RAISES)
  test(`a raise that is suggested covers what was overspent and half of the cap: ${metric} ${spent} of ${cap} (UI-1)`, () => {
    assert.is(suggestBudgetRaise(metric, cap, spent), raise);
  });

const view = (scope: BudgetView['scope'], more: Partial<BudgetView> = {}): BudgetView => ({
  scope,
  key: '',
  window: '',
  metric: 'usd',
  cap: 10,
  spent: 10,
  held: 0,
  by: 'config',
  until: null,
  ...more,
});

test('budgets that are spent beside the one that has stopped a job are shown (UI-1)', () => {
  const day = view('day', { window: '2026-11-22' });
  const all = [view('job'), day, view('runner', { spent: 9 }), view('job', { metric: 'tokens' })];
  assert.equal(
    listAlsoSpentBudgets(all, view('job')).map(({ scope, metric }) => [scope, metric]),
    [
      ['day', 'usd'],
      ['job', 'tokens'],
    ],
  );
});

test('one raise covers each spent budget: for a metric the largest amount that one of them needs', () => {
  const spent = [
    view('job'),
    view('day', { cap: 100, spent: 100 }),
    view('job', { metric: 'sessions' }),
  ];
  assert.equal(computeNeededRaises(spent), { usd: 50, sessions: 5 });
});

const TYPED = [
  ['usd', '5', 5],
  ['usd', ' $2.50 ', 2.5],
  ['usd', '.5', 0.5],
  ['tokens', '1,200,000', 1_200_000],
  ['minutes', '1.5', 1.5],
] as const;

for (const [metric, text, amount] of TYPED)
  test(`an amount of ${metric} can be typed as ${JSON.stringify(text)}`, () => {
    assert.equal(parseTypedAmount(metric, text), { amount });
  });

for (const text of ['', '0', '-5', 'five', '1,5', '1e3', '5 $'])
  test(`${JSON.stringify(text)} is no amount, and that is said`, () => {
    assert.equal(parseTypedAmount('usd', text), { wrong: 'Write a number above 0, such as 5.' });
  });

test('half of a session is no amount', () => {
  assert.equal(parseTypedAmount('sessions', '0.5'), { wrong: 'Write a whole number, such as 5.' });
});

test('amounts are in words that fit their number', () => {
  assert.equal(
    [
      formatWrittenAmount('usd', 4.2),
      formatWrittenAmount('tokens', 1_200_000),
      formatWrittenAmount('sessions', 1),
      formatWrittenAmount('minutes', 1.25),
    ],
    ['$4.20', '1,200,000 tokens', '1 session', '1.3 minutes'],
  );
});

test('a budget is named by whose it is, that of the job itself as `this job`', () => {
  const name = (scope: Parameters<typeof describeBudgetOwner>[0]['scope'], key = '', window = '') =>
    describeBudgetOwner({ scope, key, window, metric: 'usd' }, 'j1');
  assert.equal(
    [
      name('job', 'j1'),
      name('campaign', 'j1'),
      name('campaign', 'j0'),
      name('repository', 'acme/shop'),
      name('day', '', '2026-11-22'),
      name('week', '', '2026-11-16'),
      name('runner'),
    ],
    [
      'this job',
      'this job with its sub-runs',
      'campaign j0',
      'repository acme/shop',
      'the day 2026-11-22 (UTC)',
      'the week from Monday 2026-11-16 (UTC)',
      'this runner',
    ],
  );
});

for (const [spent, mark] of [
  [7.9, 'enough'],
  [8, 'near'],
  [10, 'spent'],
  [10.2, 'spent'],
] as const)
  test(`$${spent} of $10 is ${mark} (JOB-16)`, () => {
    assert.is(toBudgetMark({ spent, cap: 10 }), mark);
  });

test.run();
