import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Exceeded } from '../../src/contract/schema/policy/exceeded.ts';
import type { Pool } from '../../src/contract/schema/policy/pool.ts';
import { followLimits } from '../../ui/budgets/followLimits.ts';
import {
  toAccountNotices,
  toBudgetStopNotices,
  toWarningNotices,
} from '../../ui/budgets/limitNotices.ts';
import { createLimitsStore } from '../../ui/budgets/limitsStore.ts';
import { listClosedAccounts, formatAccountName } from '../../ui/budgets/accountText.ts';
import { createJobsStore } from '../../ui/jobs/list/jobsStore.ts';
import { findNewlyWaiting } from '../../ui/shell/notices/waitingNotices.ts';
import { parked, summary } from '../support/summaries.ts';

const test = suite('dashboard: limits of all jobs');

const pool = (id: string, state: Pool['state'], waiting = 0): Pool => ({
  id,
  kind: 'anthropic',
  origin: `https://${id}.example`,
  account: '0123456789ab',
  state,
  limit: { kind: 'exhausted', window: null, since: '2026-01-01T00:00:00.000Z', until: null },
  used: null,
  waiting,
});

const DAY: Exceeded = {
  scope: 'day',
  key: '',
  window: '2026-01-01',
  metric: 'usd',
  cap: 50_000_000,
  spent: 50_000_000,
  by: 'config',
  until: Date.parse('2026-01-02T00:00:00Z'),
  text: 'the budget of the day 2026-01-01 (UTC) is spent',
};
const createStopped = (id: string, exceeded: Exceeded) =>
  summary(id, { parked: { ...parked('budget'), exceeded } });

test('accounts that are not open are named, those that wait for a person first, then those most wait for (JOB-16)', () => {
  const all = [pool('a', 'open'), pool('b', 'probing', 1), pool('c', 'exhausted', 3)];
  assert.equal(
    listClosedAccounts([...all, pool('d', 'billing')]).map(({ id }) => id),
    ['d', 'c', 'b'],
  );
});

test('an account is named by its host and the start of the hash of its key', () => {
  assert.is(
    formatAccountName({ origin: 'https://api.x.example', account: '0123456789ab' }),
    'api.x.example (012345)',
  );
});

test('of an account without a key the host is all', () => {
  assert.is(
    formatAccountName({ origin: 'http://localhost:8080', account: 'none' }),
    'localhost:8080',
  );
});

test('the day that stops many jobs is one notice (JOB-16)', () => {
  assert.equal(
    toBudgetStopNotices([createStopped('j1', DAY), createStopped('j2', DAY)]).map(
      ({ title, hash }) => [title, hash],
    ),
    [['Budget spent: The job j1', '#/jobs/j1']],
  );
});

test('the next day is another notice', () => {
  const next = toBudgetStopNotices([createStopped('j1', { ...DAY, window: '2026-01-02' })]);
  const known = new Set(toBudgetStopNotices([createStopped('j1', DAY)]).map(({ key }) => key));
  assert.is(findNewlyWaiting(known, next).length, 1);
});

test('a job that the inbox tells of is no second notice', () => {
  const needs = { group: 'decide', ask: 'budget', since: '2026-01-01T00:00:00.000Z' } as const;
  assert.equal(toBudgetStopNotices([{ ...createStopped('j1', DAY), needs }]), []);
});

test('80 % of a budget is a notice that leads to its job (JOB-16)', () => {
  const [notice] = toWarningNotices([
    {
      scope: 'job',
      key: 'j1',
      window: '',
      metric: 'usd',
      at: '2026-01-01T00:00:00.000Z',
      job: 'j1',
      text: 'the budget of job j1 is nearly spent: $8.10 of $10.00',
    },
  ]);
  assert.equal(
    [notice?.title, notice?.text, notice?.hash],
    [
      'A budget is nearly spent',
      'The budget of job j1 is nearly spent: $8.10 of $10.00',
      '#/jobs/j1',
    ],
  );
});

test('accounts that are exhausted or unpaid are notices, short limits are none', () => {
  const pools = [pool('a', 'exhausted', 2), pool('b', 'billing'), pool('c', 'throttled')];
  assert.equal(
    toAccountNotices(pools).map(({ title }) => title),
    ['a.example (012345): used up', 'b.example (012345): unpaid'],
  );
});

test('limits are read at the connection and when a limit stops a job, not at other changes (UI-1)', async () => {
  const jobs = createJobsStore();
  const limits = createLimitsStore();
  const stop = new AbortController();
  let reads = 0;
  const client = {
    budgets: async () => {
      reads += 1;
      return { budgets: [] };
    },
    accounts: async () => [],
  };
  followLimits({ client, jobs, limits, signal: stop.signal, soonestMs: 0 });
  const readsAfter = async (change: () => void) => {
    change();
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    return reads;
  };
  assert.is(await readsAfter(() => jobs.trigger.opened()), 1);
  assert.is(await readsAfter(() => jobs.trigger.changed({ jobs: [summary('j1')] })), 1);
  const parkedJob = summary('j1', {
    parked: parked('quota'),
    updatedAt: '2026-01-01T00:00:01.000Z',
  });
  assert.is(await readsAfter(() => jobs.trigger.changed({ jobs: [parkedJob] })), 2);
  const same = { ...parkedJob, updatedAt: '2026-01-01T00:00:02.000Z' };
  assert.is(await readsAfter(() => jobs.trigger.changed({ jobs: [same] })), 2);
  stop.abort();
});

test.run();
