import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart } from '../../../machines/index.ts';
import type { DurableEvent } from '../../../src/kernel/chart.ts';
import { createKernel } from '../../../src/kernel/kernel.ts';
import type { RowChange } from '../../../src/contract/records/changes.ts';
import { createEvidenceReader } from '../../../src/sessions/agentJob/agentJob.ts';
import { createEvidence } from '../../../src/jobs/views/evidence/createEvidence.ts';
import { phase, workflow } from '../../support/charts/jobSteps.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { memoryStore } from '../../support/memoryStore.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('views: evidence of ended jobs');

const HOUR = 3_600_000;
const table = workflow([phase('coding')]);
const ALL = { since: '30d', workflow: null, phase: null, offset: 0 };

const createPreparedEvent = (visit: number): DurableEvent => ({
  type: 'phase.prepared',
  visit,
  workflow: table,
  overlayHash: 'h',
  checkout: null,
});
const createEndEvent = (visit: number): DurableEvent => ({
  type: 'session.ended',
  stopReason: 'end_turn',
  error: null,
  usage: null,
  visit,
  session: 1,
});
const items = (visit: number, status: string): DurableEvent => ({
  type: 'tool.set_work_items',
  items: [{ id: 'a', title: 'A', status, loopCount: 0, prIds: [] }],
  visit,
  session: 1,
});
const SMOOTH = [{ type: 'slot.granted' }, createPreparedEvent(1), createEndEvent(1)];
/** The gate blocks it once, and a person says something. */
const ROUGH: DurableEvent[] = [
  { type: 'slot.granted' },
  createPreparedEvent(1),
  items(1, 'pending'),
  createEndEvent(1),
  createPreparedEvent(2),
  items(2, 'complete'),
  { type: 'job.message', id: 'm1', text: 'Run the linter too.', author: 'ana', at: HOUR },
  createEndEvent(2),
  createPreparedEvent(3),
  createEndEvent(3),
];

/** A store with ended jobs: the events of each, in which type and repository. */
async function stage(
  jobs: Record<string, { events: readonly DurableEvent[]; type?: string; repo?: string }>,
  rows: RowChange[] = [],
) {
  const clock = new SimulatedClock();
  const store = memoryStore();
  const silent = async () => {};
  const names = ['phase.prepare', 'session.open', 'session.stop', 'message.offer'];
  const kernel = createKernel({
    screen: null,
    store: store.durable,
    charts: [jobChart],
    ports: Object.fromEntries(names.map((name) => [name, silent])),
    clock,
  });
  await kernel.start();
  for (const [id, { events, type = 'job', repo = 'shop' }] of Object.entries(jobs)) {
    const input = {
      id,
      type,
      tenantId: 'solo-test',
      workflowPath: 'workflows/job.md',
      workflow: table,
      params: { repoSlug: repo },
      interactive: true,
      limits: { gateBlocks: 5, sessionsPerVisit: 1 },
      createdAt: clock.now(),
    };
    await kernel.submit({ starts: [{ chart: jobChart.id, id, input }] });
    for (const event of events) {
      const outcome = await kernel.send(id, event);
      assert.ok(outcome.accepted, `${id}: ${event.type}`);
    }
    clock.advance(HOUR);
  }
  await kernel.submit({ rows });
  const { rows: reader, frames, jobs: list } = store;
  const read = createEvidence({ rows: reader, frames, list, now: () => clock.now() });
  return { read, kernel, clock };
}

test('sums of a phase count visits, gate blocks and messages of all ended jobs (INT-11)', async () => {
  const { read } = await stage({ 'job-1': { events: SMOOTH }, 'job-2': { events: ROUGH } });
  const { phases, jobs, leftOut } = await read(ALL, null);
  assert.equal([jobs, leftOut], [2, 0]);
  assert.equal(
    phases.map(({ workflow: path, phase: name, visits, gateBlocks, messages, examples }) => ({
      path,
      name,
      visits,
      gateBlocks,
      messages,
      examples,
    })),
    [
      {
        path: 'workflows/job.md',
        name: 'coding',
        visits: 4,
        gateBlocks: 1,
        messages: 1,
        examples: ['job-2'],
      },
    ],
  );
});

test('quotes say who said what, the newest first', async () => {
  const { read } = await stage({ 'job-1': { events: ROUGH } });
  const { quotes, quotesTotal } = await read(ALL, null);
  assert.is(quotesTotal, 2);
  assert.equal(quotes.map(({ kind, by, text }) => [kind, by, text]).sort(), [
    ['gate', 'completion-gate', 'blocked 1 of 5: not closed: a (pending)'],
    ['message', 'ana', 'Run the linter too.'],
  ]);
});

test('a phase that a person ran again is quoted, and counted', async () => {
  const again: DurableEvent[] = [
    { type: 'job.rerun', phase: 'coding' },
    { type: 'slot.granted' },
    createPreparedEvent(2),
    createEndEvent(2),
  ];
  const { read } = await stage({ 'job-1': { events: [...SMOOTH, ...again] } });
  const { phases, quotes } = await read(ALL, null);
  assert.is(phases[0]?.reruns, 1);
  assert.is(quotes[0]?.text, 'Phase coding was run again.');
});

test('refusals, flags, labels and costs come from their rows', async () => {
  const at = { job_id: 'job-1', phase: 'coding', visit: 1, at: 9 };
  const { read } = await stage({ 'job-1': { events: SMOOTH } }, [
    {
      op: 'put',
      table: 'forbidden_calls',
      row: { ...at, rule: 'no-merge', tool: 'merge_pr', message: 'Never merge.', times: 2 },
    },
    {
      op: 'put',
      table: 'decisions',
      row: {
        ...at,
        key: 'overseer/1/1',
        site: 'overseer',
        mode: 'shadow',
        provider: 'p',
        model: 'm',
        digest_version: 1,
        digest_sha: 's',
        ms: 1,
        unmet: 'The tests ran.',
        unmet_confidence: 0.9,
        goal: 0.2,
        seriousness: 2,
        stuck: 0,
        raw: null,
        skipped: null,
        flag: 'low goal',
        seen: null,
        pauses: 0,
      },
    },
    {
      op: 'put',
      table: 'decision_labels',
      row: {
        job_id: 'job-1',
        key: 'overseer/1/1',
        verdict: 'bad',
        note: 'It skipped the tests.',
        at: 11,
        by: 'token',
      },
    },
    {
      op: 'put',
      table: 'usage_sums',
      row: {
        scope: 'phase',
        key: 'job-1/1',
        window: '',
        micro_usd: 1_500_000,
        tokens: 70,
        calls: 1,
        unpriced_calls: 0,
        sessions: 1,
        ms: 1,
      },
    },
  ]);
  const { phases, quotes } = await read(ALL, null);
  const { refusals, rated, flagged, calledBad, usd, tokens } = phases[0] ?? {};
  assert.equal(
    { refusals, rated, flagged, calledBad, usd, tokens },
    { refusals: 1, rated: 1, flagged: 1, calledBad: 1, usd: 1.5, tokens: 70 },
  );
  assert.equal(
    quotes.map(({ kind, text }) => [kind, text]),
    [
      ['called-bad', 'It skipped the tests.'],
      ['refusal', 'merge_pr (2x): Never merge.'],
      ['flag', 'low goal; looks unmet: The tests ran.'],
    ],
  );
});

test('jobs that have not ended, that look at evidence themselves or ended before are no evidence', async () => {
  const { read, clock } = await stage({
    'job-1': { events: SMOOTH.slice(0, 2) },
    'job-2': { events: SMOOTH, type: 'self-update' },
    'job-3': { events: SMOOTH },
  });
  assert.is((await read(ALL, null)).jobs, 1);
  clock.advance(5 * HOUR);
  assert.is((await read({ ...ALL, since: '2h' }, null)).jobs, 0);
});

test('a quote is cut at 500 characters, and pages follow each other', async () => {
  const text = 'x'.repeat(600);
  const messages = Array.from({ length: 25 }, (_, n) => ({
    type: 'job.message',
    id: `m${n}`,
    text: `${n} ${text}`,
    author: 'ana',
    at: n + 1,
  }));
  const { read } = await stage({
    'job-1': {
      events: [
        { type: 'slot.granted' },
        createPreparedEvent(1),
        ...messages,
        createEndEvent(1),
        createPreparedEvent(2),
        createEndEvent(2),
      ],
    },
  });
  const first = await read(ALL, null);
  const second = await read({ ...ALL, offset: 20 }, null);
  assert.is(first.quotes[0]?.text.length, 500);
  assert.equal([first.quotes.length, second.quotes.length, first.quotesTotal], [20, 5, 25]);
  assert.is(second.quotes.at(-1)?.text.slice(0, 2), '0 ');
});

test('only a job of the type self-update sees others; its repository bounds them', async () => {
  const { read } = await stage({
    'job-1': { events: SMOOTH },
    'job-2': { events: SMOOTH, repo: 'blog' },
  });
  const as = (type: string, params: Record<string, unknown>) =>
    createEvidenceReader(read, () => ({ type, params }))(ALL);
  const error = await catchRefusal(() => as('job', {}));
  assert.match(error.message, 'svc job --workflow self-update');
  assert.is((await as('self-update', {})).jobs, 2);
  assert.is((await as('self-update', { repoSlug: 'blog' })).jobs, 1);
});

test.run();
