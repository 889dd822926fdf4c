import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart } from '../../../../machines/index.ts';
import type { JobSelection } from '../../../../src/contract/runner/runner.ts';
import type { DurableEvent } from '../../../../src/kernel/chart.ts';
import { createKernel } from '../../../../src/kernel/kernel.ts';
import { openStore } from '../../../../src/jobs/store/openStore.ts';
import { DeprecatedNames } from '../../../../src/jobs/views/deprecatedNames.ts';
import { createJobList } from '../../../../src/jobs/views/list/createJobList.ts';
import { toLiveSummary } from '../../../../src/jobs/views/list/jobSummary.ts';
import type { Tables } from '../../../../src/contract/records/tables.ts';
import { aCall } from '../../store/aCall.ts';
import { phase, workflow } from '../../../support/charts/jobSteps.ts';
import { SimulatedClock } from '../../../support/charts/simulatedClock.ts';

const test = suite('views: the list of jobs');

const table = workflow([phase('coding')]);
const AT_WORK: DurableEvent[] = [
  { type: 'slot.granted' },
  { type: 'phase.prepared', visit: 1, workflow: table, overlayHash: 'h', checkout: null },
];
const SESSION = { visit: 1, session: 1 };
const createEndEvent = (stopReason: string, error: string | null): DurableEvent => ({
  type: 'session.ended',
  stopReason,
  error,
  usage: null,
  ...SESSION,
});
/** What the agent of each job wrote last. */
const LAST_LINE = { at: '2026-01-01T00:00:00.000Z', line: 'ok 12 - adds' };
const WHY = 'It broke. '.repeat(100);

/** A list of jobs, each with its params and what has happened to it, and what they have used. */
async function openList(
  jobs: Record<string, { params?: object; events: DurableEvent[] }>,
  ledger: readonly Tables['usage_calls'][] = [],
) {
  const clock = new SimulatedClock();
  const store = openStore({ file: ':memory:', pid: 1, now: clock.now() });
  const silent = async () => {};
  const ports = { 'phase.prepare': silent, 'session.open': silent, 'session.stop': silent };
  let actorsRead = 0;
  const durable = new Proxy(store.durable, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        if (name === 'actor') actorsRead += 1;
        return Reflect.apply(member, target, args);
      };
    },
  });
  const kernel = createKernel({ screen: null, store: durable, charts: [jobChart], ports, clock });
  await kernel.start();
  for (const [id, { params = {}, events }] of Object.entries(jobs)) {
    const input = {
      id,
      type: 'job',
      tenantId: 'solo-test',
      workflowPath: 'workflows/job.md',
      workflow: table,
      params,
      interactive: true,
      limits: { gateBlocks: 5, sessionsPerVisit: 1 },
      createdAt: clock.now(),
    };
    await kernel.submit({
      starts: [{ chart: jobChart.id, id, input }],
      sends: events.map((event) => ({ to: id, event })),
    });
  }
  await kernel.submit({
    rows: ledger.map((row) => ({ op: 'put' as const, table: 'usage_calls', row: { ...row } })),
  });
  await kernel.awaitFlushed();
  const deprecated = new DeprecatedNames(store.rows, () => {}, clock.now);
  const list = createJobList({
    list: store.jobs,
    deprecated,
    summarise: (job) => toLiveSummary(job, { shut: null, lastLine: () => LAST_LINE }),
    proposals: () => 0,
  });
  return {
    jobs: async () => (await list.jobs({ sort: 'created', limit: 500, offset: 0 })).jobs,
    counts: (selection: JobSelection) => list.jobCounts(selection),
    actorsRead: () => actorsRead,
    readContext: (id: string) => Object(kernel.state(id)).context,
  };
}

test('a page shows each job from its rows: why it waits or failed, and its whole request (HTTP-2)', async () => {
  const description = `Fix the Café\n${'and more '.repeat(1_000)}`;
  const { jobs, readContext } = await openList({
    queued: { params: { description, repoSlug: 'shop' }, events: [] },
    paused: { params: { parentJobId: 'queued' }, events: [{ type: 'job.pause' }] },
    failed: { events: [...AT_WORK, createEndEvent('error', WHY)] },
  });
  const [queued, paused, failed] = await jobs();
  assert.is(queued?.description, description);
  assert.is(queued?.repoSlug, 'shop');
  assert.is(queued?.status, 'queued');
  assert.is(queued?.parked, null);
  assert.is(queued?.reason, null);
  assert.is(queued?.ended, false);
  assert.is(paused?.description, '');
  assert.is(paused?.parentJobId, 'queued');
  assert.equal(paused?.parked, readContext('paused').parked);
  assert.is(paused?.reason, readContext('paused').parked.reason);
  assert.is(failed?.ended, true);
  assert.is(failed?.needs?.group, 'broken');
  assert.is(failed?.reason, `${readContext('failed').escalationMessage.slice(0, 499)}…`);
});

test('a complete job on a repository that opened no pull request changed nothing', async () => {
  const events = [...AT_WORK, createEndEvent('end_turn', null)];
  const { jobs } = await openList({
    idle: { params: { repoSlug: 'shop' }, events },
    elsewhere: { events },
    failed: { params: { repoSlug: 'shop' }, events: [...AT_WORK, createEndEvent('error', WHY)] },
  });
  const [idle, elsewhere, failed] = await jobs();
  assert.is(idle?.status, 'complete');
  assert.is(idle?.ending?.unchanged, true);
  assert.is(idle?.reason, 'it opened no pull request and wrote no plan or report');
  assert.is(elsewhere?.ending?.unchanged, undefined);
  assert.is(failed?.ending?.unchanged, undefined);
});

test('a job at work shows what its agent wrote last; one that waits or has ended does not (UI-1)', async () => {
  const { jobs } = await openList({
    works: { events: AT_WORK },
    paused: { events: [...AT_WORK, { type: 'job.pause' }, createEndEvent('interrupted', null)] },
    failed: { events: [...AT_WORK, createEndEvent('error', WHY)] },
  });
  const lines = (await jobs()).map(({ id, lastLine }) => [id, lastLine]);
  assert.equal(lines, [
    ['works', LAST_LINE],
    ['paused', undefined],
    ['failed', undefined],
  ]);
});

test('the sum of costs has each campaign once, and only what it is asked for (UI-1)', async () => {
  const { counts } = await openList(
    {
      parent: { params: { repoSlug: 'shop' }, events: [] },
      child: { params: { parentJobId: 'parent', repoSlug: 'shop' }, events: [] },
      other: { params: { repoSlug: 'site' }, events: [] },
    },
    [
      aCall({ subject: 'parent', root: 'parent', micro_usd: 1_000_000 }),
      aCall({ subject: 'child', root: 'parent', micro_usd: 500_000 }),
      aCall({ subject: 'other', root: 'other', micro_usd: null }),
    ],
  );
  assert.is((await counts({ repo: 'shop', sum: 'cost' })).cost?.usd, 1.5);
  assert.is((await counts({ q: 'shop', sum: 'cost' })).cost?.usd, 1.5);
  assert.is((await counts({ sum: 'cost' })).cost?.unpriced, 1);
  assert.is((await counts({ repo: 'none', sum: 'cost' })).cost, undefined);
  assert.is((await counts({ repo: 'shop' })).cost, undefined);
});

test('a job that continues shows no longer why it waited', async () => {
  const resumed = { type: 'job.resume', eventKey: 'manual-resume' };
  const { jobs } = await openList({ it: { events: [{ type: 'job.pause' }, resumed] } });
  assert.is((await jobs())[0]?.parked, null);
});

test('a page of 500 jobs restores none of them', async () => {
  const many = Array.from({ length: 500 }, (_, n) => [
    `job-${n}`,
    { params: { description: `the ${n}th` }, events: [{ type: 'job.pause' }] },
  ]);
  const { jobs, actorsRead } = await openList(Object.fromEntries(many));
  const before = actorsRead();
  assert.is((await jobs()).length, 500);
  assert.is(actorsRead() - before, 0);
});

test('sessions that reported no tokens are counted, those of sub-runs with their parent', async () => {
  const silent = { input_tokens: 0, output_tokens: 0, micro_usd: null, source: 'none' } as const;
  const { jobs } = await openList(
    {
      parent: { events: [] },
      child: { params: { parentJobId: 'parent' }, events: [] },
      unpriced: { events: [] },
      unused: { events: [] },
    },
    [
      aCall({ subject: 'parent', root: 'parent' }),
      aCall({ subject: 'parent', root: 'parent', session: 2, ...silent }),
      aCall({ subject: 'child', root: 'parent', ...silent }),
      aCall({ subject: 'unpriced', root: 'unpriced', micro_usd: null }),
    ],
  );
  const costs = (await jobs()).map(({ id, cost }) => [id, cost?.tokens, cost?.unreported]);
  assert.equal(costs, [
    ['parent', 110, 2],
    ['child', 0, 1],
    ['unpriced', 110, 0],
    ['unused', undefined, undefined],
  ]);
});

test.run();
