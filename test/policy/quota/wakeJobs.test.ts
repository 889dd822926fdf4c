import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ActorState } from '../../../src/kernel/chart.ts';
import { wakeJobs } from '../../../src/policy/quota/wakeJobs.ts';

const test = suite('which jobs a pool wakes');

const POOL = 'pool:anthropic:https://api.example:none';
const WAITING = ['job-2', 'job-3'].map((job_id) => ({ pool: POOL, job_id }));

/** What is answered where `job-1` was woken as the probe and is like this now. */
const wakeAndListEvents = async (
  params: { jobs: number; probe?: string | null },
  job?: Partial<ActorState>,
) => {
  const port = wakeJobs({
    rows: {
      all: (_table: unknown, _where: unknown, { limit }: { limit: number }) =>
        WAITING.slice(0, limit),
      count: () => WAITING.length,
    } as never,
    readState: () => job as ActorState | undefined,
  });
  const { events = [], sends = [] } = (await port({ pool: POOL, ...params }, {} as never)) ?? {};
  const [woken] = events;
  return { woken, sends: sends.map(({ to, event }) => ({ to, ...event })) };
};

const QUEUED = { chart: 'job', value: 'queued', context: { admitted: 'probe' } };

test('a wave wakes the first jobs, none of them as the probe', async () => {
  const { sends } = await wakeAndListEvents({ jobs: 2 });
  assert.equal(sends, [
    { to: 'job-2', type: 'quota.reset', pool: POOL },
    { to: 'job-3', type: 'quota.reset', pool: POOL },
  ]);
});

test('the first job is woken as the probe, and named', async () => {
  const { woken, sends } = await wakeAndListEvents({ jobs: 1, probe: null });
  assert.equal(sends, [{ to: 'job-2', type: 'quota.reset', pool: POOL, probe: true }]);
  assert.equal(woken, { type: 'quota.woken', jobs: 1, left: 1, first: 'job-2' });
});

test('no further job is woken while the probe waits for its turn', async () => {
  const { woken, sends } = await wakeAndListEvents({ jobs: 1, probe: 'job-1' }, QUEUED);
  assert.equal(sends, []);
  assert.equal(woken, { type: 'quota.woken', jobs: 1, left: 2, first: 'job-1' });
});

for (const [what, job] of [
  ['has begun', { ...QUEUED, value: 'working' }],
  ['waits for a budget', { ...QUEUED, value: { parked: 'budget' } }],
  ['is in line for something else', { ...QUEUED, context: { admitted: false } }],
  ['is gone', undefined],
] as const) {
  test(`the next job is woken where the probe ${what}`, async () => {
    const { sends } = await wakeAndListEvents({ jobs: 1, probe: 'job-1' }, job as never);
    assert.equal(
      sends.map(({ to }) => to),
      ['job-2'],
    );
  });
}

test.run();
