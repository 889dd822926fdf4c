import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { foldText } from '../../../src/base/text/foldText.ts';
import type { JobListFilter } from '../../../src/jobs/store/queries/jobListFilter.ts';
import type { JobOrder } from '../../../src/jobs/store/queries/jobOrder.ts';
import { openStore } from '../../../src/jobs/store/openStore.ts';
import type { RowChange } from '../../../src/contract/records/changes.ts';
import type { ActorRow } from '../../../src/kernel/writer.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';

const test = suite('store: the list of jobs');

type Row = Tables['job_list'];

const createActorRow = (id: string, at: number, label = 'coding'): ActorRow => ({
  id,
  chart: 'job',
  version: 1,
  snapshot: '{}',
  seq: 1,
  frameSeq: 0,
  index: { label, kind: 'job', parent: null, slot: false, waitingSince: null, activity: 'live' },
  createdAt: at,
  updatedAt: at,
  since: at,
});

/** A store with these jobs, created in their order. */
function openJobStore(jobs: Record<string, Partial<Row>>, more: RowChange[] = [], halted?: string) {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const rows = Object.entries(jobs).flatMap(([id, part], at): RowChange[] => [
    {
      op: 'put',
      table: 'job_list',
      row: {
        job_id: id,
        parent: null,
        kind: 'job',
        status: 'coding',
        state: 'working',
        ask: null,
        since: at,
        dismissed_at: null,
        repo: 'shop',
        workflow: 'workflows/job.md',
        phase: 'coding',
        title: id,
        created_at: at,
        text: id,
        ...part,
      },
    },
    {
      op: 'put',
      table: 'job_summaries',
      row: {
        job_id: id,
        description: id,
        parked: null,
        escalation: null,
        failed: 0,
        escalated: 0,
      },
    },
  ]);
  const nothing = {
    journal: [],
    outboxPut: [],
    outboxDone: [],
    timersSet: [],
    timersDrop: [],
    inbox: [],
    mailPut: [],
    mailDone: [],
    frames: [],
  };
  void store.durable.commit({
    ...nothing,
    generation: store.durable.claim(),
    actors: [
      ...Object.keys(jobs).map((id, at) => createActorRow(id, at)),
      ...(halted === undefined ? [] : [createActorRow(`${halted}.sub-runs`, 0, 'halted')]),
    ],
    rows: rows.concat(more),
  });
  const ids = (filter: JobListFilter, by: JobOrder = 'created', desc = true) =>
    store.jobs
      .page(filter, { by, desc }, { limit: 10, offset: 0 })
      .map(({ id }) => id)
      .join(' ');
  return { ...store, ids };
}

const BROKEN = { state: 'failed', ask: 'failed' } as const;
const subRun = (parent: string, job: string, status: Row['status']): RowChange => ({
  op: 'put',
  table: 'sub_runs',
  row: {
    parent,
    name: job,
    n: 0,
    description: '',
    params: '{}',
    depends_on: '[]',
    job_id: job,
    attempt: 1,
    status: status as 'failed',
  },
});

test('a job that waits for a person or has failed needs one; a dismissed one does not (JOB-9)', () => {
  const { ids, jobs } = openJobStore({
    works: {},
    asks: { state: 'waiting', ask: 'approval' },
    failed: BROKEN,
    escalated: { state: 'failed', ask: 'escalated' },
    dismissed: { ...BROKEN, dismissed_at: 5 },
  });
  assert.is(ids({ needs: 'me' }), 'escalated failed asks');
  assert.is(ids({ needs: 'decide' }), 'asks');
  assert.is(ids({ needs: 'broken' }), 'escalated failed');
  assert.is(ids({ is: ['needs-you'] }), 'escalated failed asks');
  assert.is(ids({ is: ['failed'] }), 'dismissed escalated failed', 'whether or not it needs one');
  assert.is(jobs.findJob('dismissed')?.ask, null);
  assert.is(jobs.findJob('failed')?.ask, 'failed');
});

test('what a job waited for before it continued is not shown, and not found', () => {
  const parked = JSON.stringify({ kind: 'approval' });
  const set = (id: string): RowChange => ({
    op: 'patch',
    table: 'job_summaries',
    key: { job_id: id },
    set: { parked },
  });
  const waits = { state: 'waiting', ask: 'approval' } as const;
  const { ids, jobs } = openJobStore({ waits, works: {} }, [set('waits'), set('works')]);
  assert.is(jobs.findJob('waits')?.parked, parked);
  assert.is(jobs.findJob('works')?.parked, null);
  assert.is(ids({ waitsFor: ['approval'] }), 'waits');
});

test('who asked for a job is shown where a name is known (UI-1)', () => {
  const row: RowChange = { op: 'put', table: 'job_creators', row: { job_id: 'a', person: 'Ada' } };
  const { jobs } = openJobStore({ a: {}, b: {} }, [row]);
  assert.equal([jobs.findJob('a')?.creator, jobs.findJob('b')?.creator], ['Ada', null]);
});

test('the failure of a sub-run needs a person only where its campaign does not ask for it', () => {
  const parts = { a: { ...BROKEN, parent: 'p' }, b: { ...BROKEN, parent: 'p' } };
  const rows = [subRun('p', 'a', 'failed'), subRun('p', 'b', 'skipped')];
  const runs = openJobStore({ p: {}, ...parts }, rows);
  assert.is(runs.ids({ needs: 'me' }), 'a', 'a skipped one was decided about');
  const halted = openJobStore({ p: { state: 'waiting', ask: 'halted' }, ...parts }, rows, 'p');
  assert.is(halted.ids({ needs: 'me' }), 'p');
  const cancelled = openJobStore({ p: { state: 'cancelled' }, ...parts }, rows);
  assert.is(cancelled.ids({ needs: 'me' }), '');
  const earlier = openJobStore({ p: {}, ...parts }, [subRun('p', 'c', 'failed')]);
  assert.is(earlier.ids({ needs: 'me' }), '', 'an earlier attempt is not what counts');
});

test('sub-runs that need no one can be left out, and every count agrees with its list', () => {
  const { ids, jobs } = openJobStore(
    {
      p: { state: 'waiting' },
      quiet: { parent: 'p' },
      asks: { parent: 'p', state: 'waiting', ask: 'input' },
      bad: { ...BROKEN, parent: 'p' },
    },
    [subRun('p', 'bad', 'failed')],
  );
  const filter = { onlyNeedingSubRuns: true };
  assert.is(ids(filter), 'bad asks p');
  assert.is(jobs.total(filter), 3);
  const counts = jobs.counts(filter);
  assert.is(counts.total, 3);
  assert.equal(counts.needs, { decide: 1, review: 0, broken: 1 });
  assert.is(counts.standings['needs-you'], 2);
  assert.is(counts.standings.waiting, 1);
  assert.is(counts.standings.failed, 1);
});

test('a job that waits for a review needs a person, in a group of its own (JOB-9)', () => {
  const { ids, jobs } = openJobStore({
    review: { state: 'waiting', ask: 'review' },
    asks: { state: 'waiting', ask: 'input' },
    waits: { state: 'waiting' },
  });
  assert.is(ids({ needs: 'review' }), 'review');
  assert.is(ids({ needs: 'decide' }), 'asks');
  assert.is(ids({ needs: 'me' }), 'asks review');
  assert.is(ids({ is: ['waiting'] }), 'waits');
  const { needs, standings } = jobs.counts({});
  assert.equal(needs, { decide: 1, review: 1, broken: 0 });
  assert.is(standings['needs-you'], 2);
});

test('each failure is counted as one, also of a sub-run that is left out and of a job that needs a person; of what they consist is named', () => {
  const { ids, jobs } = openJobStore(
    {
      p: { state: 'partial' },
      failed: BROKEN,
      dismissed: { ...BROKEN, dismissed_at: 5 },
      gone: { state: 'failed', ask: 'escalated', parent: 'p', dismissed_at: 5 },
      part: { ...BROKEN, parent: 'p' },
    },
    [subRun('p', 'part', 'failed')],
  );
  const filter = { onlyNeedingSubRuns: true };
  assert.is(ids(filter), 'part dismissed failed p');
  const { total, standings, failures } = jobs.counts(filter);
  assert.is(total, 4);
  assert.is(standings.failed, 4);
  assert.equal(failures, { failed: 4, subRuns: 2, escalated: 1 });
  assert.is(ids({ ...filter, is: ['failed'] }), 'part gone dismissed failed');
  assert.is(jobs.total({ ...filter, is: ['failed'] }), 4);
  assert.is(jobs.counts({}).standings.failed, 4);
  assert.is(jobs.total({ states: ['failed'], onlySubRuns: true }), 2);
});

test('every word of a search must occur, whatever its case and accents; %, _ and \\ are letters', () => {
  const text = (words: string) => ({ text: foldText(words) });
  const { ids } = openJobStore({
    a: text('Das Café an der Straße'),
    b: text('100% done, path C:\\temp'),
    c: text('1000 done'),
  });
  const search = (q: string) => ids({ words: foldText(q).split(' ') });
  assert.is(search('cafe STRASSE'), 'a');
  assert.is(search('CAFÉ missing'), '');
  assert.is(search('100%'), 'b');
  assert.is(search('c:\\t'), 'b');
  assert.is(search('100_'), '');
  assert.is(search('done'), 'c b');
});

test('the list is sorted by any of its columns, equal ones the newest first; descending is the reverse', () => {
  const { ids } = openJobStore({
    a: { title: 'b', repo: 'x', since: 3 },
    b: { title: 'a', repo: 'y', since: 2 },
    c: { title: 'c', repo: 'x', since: 1 },
  });
  assert.is(ids({}), 'c b a');
  assert.is(ids({}, 'created', false), 'a b c');
  assert.is(ids({}, 'title', false), 'b a c');
  assert.is(ids({}, 'since', false), 'c b a');
  assert.is(ids({}, 'repo', false), 'c a b');
  assert.is(ids({}, 'repo', true), 'b a c');
  // A way through the filter's own index, not along that of the order.
  assert.is(ids({ parent: 'p' }, 'repo', true), '');
});

test('the repositories and workflows are named, each once', () => {
  const { jobs } = openJobStore({ a: { repo: 'x' }, b: { repo: null }, c: { repo: 'a' }, d: {} });
  assert.equal(jobs.choices(10), { repos: ['a', 'shop', 'x'], workflows: ['workflows/job.md'] });
  assert.equal(jobs.choices(1), { repos: ['a'], workflows: ['workflows/job.md'] });
});

test.run();
