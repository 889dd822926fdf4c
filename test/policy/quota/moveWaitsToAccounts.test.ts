import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ActorState } from '../../../src/kernel/chart.ts';
import type { Submission } from '../../../src/kernel/contract.ts';
import { moveWaitsToAccounts } from '../../../src/policy/quota/moveWaitsToAccounts.ts';

const test = suite('jobs that waited for a limit before pools were known');

const POOL = { kind: 'anthropic', origin: 'https://api.example', account: '0123456789ab' };
const ID = 'pool:anthropic:https://api.example:0123456789ab';

/** As the released version 0.2 has stored it. */
const golden = JSON.parse(
  readFileSync(
    new URL('../../fixtures/snapshots/job.v3.parked.quota.json', import.meta.url),
    'utf8',
  ),
);
const context = golden.snapshot?.context ?? golden.context;
const until = Date.parse(context.parked.until);

const takenAt = async (now: number, pool: typeof POOL | null = POOL) => {
  const submitted: Submission[] = [];
  const job: ActorState = {
    id: 'job-1',
    chart: 'job',
    seq: 9,
    value: { parked: 'quota' },
    tags: [],
    status: 'active',
    context,
  };
  const jobs = await moveWaitsToAccounts({
    settings: { llm: { defaultProvider: 'command', aliases: {} } },
    executor: () => ({ pool: () => pool }),
    kernel: {
      state: () => job,
      submit: async (submission) => {
        submitted.push(submission);
        return { started: [], sends: [] };
      },
    },
    timers: () => [
      { actor: 'job-1', name: 'quota', due: until, event: { type: 'quota.reset' } },
      { actor: 'job-2', name: 'outage', due: until, event: { type: 'outage.over' } },
    ],
    now: () => now,
    chance: () => 0.5,
  });
  return { jobs, submitted };
};

test('such a job waits for the pool of its account, which knows the time of its limit', async () => {
  const { jobs, submitted } = await takenAt(until - 60_000);
  assert.is(jobs, 1);
  assert.equal(submitted[0]?.sends, [
    {
      to: ID,
      event: {
        type: 'quota.hit',
        kind: 'exhausted',
        window: null,
        resetsAt: until,
        chance: 0.5,
      },
    },
    { to: 'job-1', event: { type: 'quota.adopted', pool: ID } },
  ]);
});

test('the pool exists from then on', async () => {
  const { submitted } = await takenAt(until - 60_000);
  assert.is(submitted[0]?.starts?.[0]?.id, ID);
});

test('a job whose time has come is left to its timer', async () => {
  assert.is((await takenAt(until)).jobs, 0);
});

test('a job whose account is not known keeps its timer', async () => {
  assert.is((await takenAt(until - 60_000, null)).jobs, 0);
});

test.run();
