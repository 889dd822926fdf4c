import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RowChange } from '../../../../src/contract/records/changes.ts';
import type { Tables } from '../../../../src/contract/records/tables.ts';
import { createWorkflowRuns } from '../../../../src/jobs/views/reports/createWorkflowRuns.ts';
import { openStore } from '../../../../src/jobs/store/openStore.ts';

const test = suite('views: runs of a workflow');

const WORKFLOW = 'workflows/job.md';

type State = Tables['job_list']['state'];

const toJobRow = (id: string, created: number, state: State, workflow: string): RowChange => ({
  op: 'put',
  table: 'job_list',
  row: {
    job_id: id,
    parent: null,
    kind: 'job',
    status: state,
    state,
    ask: null,
    since: created,
    dismissed_at: null,
    repo: null,
    workflow,
    phase: 'coding',
    title: '',
    created_at: created,
    text: '',
  },
});

const toTransitionRow = (
  id: string,
  visit: number,
  [from, to, cause]: readonly [from: string, to: string, cause: string],
  workflow = WORKFLOW,
): RowChange => ({
  op: 'put',
  table: 'phase_transitions',
  row: {
    job_id: id,
    visit,
    kind: 'next',
    at: visit,
    workflow,
    from_phase: from,
    to_phase: to,
    cause,
  },
});

const ON = ['planning', 'coding', 'approved'] as const;
const BACK = ['coding', 'planning', 'goto'] as const;

/** Jobs created one after another, in this state, with these transitions each. */
function readRuns(
  jobs: readonly {
    state?: State;
    workflow?: string;
    took: readonly (readonly [string, string, string])[];
    /** The workflow that it followed when it took them. Default: the present one. */
    before?: string;
  }[],
) {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  void store.durable.commit({
    generation: store.durable.claim(),
    actors: [],
    journal: [],
    outboxPut: [],
    outboxDone: [],
    timersSet: [],
    timersDrop: [],
    inbox: [],
    mailPut: [],
    mailDone: [],
    frames: [],
    rows: jobs.flatMap(
      ({ state = 'complete', workflow = WORKFLOW, took, before = workflow }, n) => [
        toJobRow(`j${n}`, n, state, workflow),
        ...took.map((one, visit) => toTransitionRow(`j${n}`, visit, one, before)),
      ],
    ),
  });
  const reply = createWorkflowRuns(store.workflowRuns).workflowRuns({ workflow: WORKFLOW });
  store.close();
  return { reply };
}

test('transitions are summed by what caused them, those of failed runs apart (UI-3)', () => {
  const { reply } = readRuns([
    { took: [ON] },
    { took: [ON, BACK, ON], state: 'failed' },
    { took: [ON], workflow: 'workflows/other.md' },
  ]);
  assert.equal(reply, {
    workflow: WORKFLOW,
    runs: 2,
    failed: 1,
    since: '1970-01-01T00:00:00.000Z',
    transitions: [
      { from: 'planning', to: 'coding', cause: 'approved', times: 3, failed: 2 },
      { from: 'coding', to: 'planning', cause: 'goto', times: 1, failed: 1 },
    ],
  });
});

test('without a run there is nothing to count', () => {
  assert.equal(readRuns([]).reply, {
    workflow: WORKFLOW,
    runs: 0,
    failed: 0,
    since: null,
    transitions: [],
  });
});

test('what a job did before it changed to this workflow counts for the other one', () => {
  const { reply } = readRuns([{ took: [ON], before: 'workflows/other.md' }]);
  assert.is(reply.runs, 1);
  assert.equal(reply.transitions, []);
});

test('only the newest 100 runs, and of each the newest 200 visits, are counted (UI-3)', () => {
  const loops = Array.from({ length: 400 }, (_, n) => (n % 2 === 0 ? ON : BACK));
  const { reply } = readRuns([
    { took: [ON], state: 'failed' },
    ...Array.from({ length: 99 }, () => ({ took: [ON] })),
    { took: loops },
  ]);
  assert.is(reply.runs, 100);
  assert.is(reply.failed, 0);
  assert.equal(
    reply.transitions.map(({ cause, times }) => [cause, times]),
    [
      ['approved', 199],
      ['goto', 100],
    ],
  );
});

test.run();
