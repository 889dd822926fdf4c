import { createRating } from '../support/charts/ratings.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createActor, type Snapshot, type StateValue, transition } from 'xstate';
import { type JobContext, jobChart } from '../../machines/index.ts';
import { listLeafPaths } from '../../src/base/json/listLeafPaths.ts';
import { SteppedJob } from '../support/charts/jobSteps.ts';
import { LEAF_STATES, type LeafState } from '../support/charts/jobStates.ts';

const test = suite('job chart: snapshots of released versions');

interface Golden {
  chart: string;
  version: number;
  value: StateValue;
  snapshot: Snapshot<unknown> & Record<string, unknown>;
}

const FOLDER = new URL('../fixtures/snapshots/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => name.startsWith('job.v'));

const read = (name: string): Golden =>
  JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Golden;

const migrated = ({ version, snapshot }: Golden): Golden['snapshot'] => {
  let now = snapshot;
  for (let from = version; from < jobChart.version; from++) {
    const migrate = jobChart.migrations[from];
    if (!migrate) throw new Error(`no migration from version ${from}`);
    now = Object.assign({}, now, migrate(now));
  }
  return now;
};

const restored = (golden: Golden) =>
  createActor(jobChart.machine, { snapshot: migrated(golden) }).getSnapshot();

const summariseVisit = ({ context }: { context: JobContext }) => ({
  visit: context.visit,
  session: context.session,
});

/** One event for each state, and where it leads. */
const GOES_ON: Record<
  LeafState,
  [
    event: (state: { context: JobContext }) => { type: string; [key: string]: unknown },
    to: LeafState,
  ]
> = {
  queued: [() => ({ type: 'slot.granted' }), 'working.preparing'],
  'working.preparing': [
    (state) => ({
      type: 'phase.prepared',
      visit: state.context.visit,
      workflow: state.context.workflow,
      overlayHash: 'h',
      checkout: null,
    }),
    'working.inSession',
  ],
  'working.inSession': [
    (state) => ({
      type: 'session.ended',
      ...summariseVisit(state),
      stopReason: 'end_turn',
      error: null,
      usage: null,
    }),
    'working.preparing',
  ],
  'working.judging': [
    (state) => ({
      type: 'phase.judged',
      ...summariseVisit(state),
      judgement: createRating({ skipped: 'no' }),
    }),
    'working.preparing',
  ],
  'working.stopping': [
    (state) => ({
      type: 'session.ended',
      ...summariseVisit(state),
      stopReason: 'interrupted',
      error: null,
      usage: null,
    }),
    'parked.paused',
  ],
  'parked.approval': [() => ({ type: 'job.resume', eventKey: 'approve' }), 'queued'],
  'parked.event': [
    () => ({ type: 'job.message', id: 'm', text: 'go', author: 'developer' }),
    'queued',
  ],
  'parked.external': [() => ({ type: 'job.resume', eventKey: 'go' }), 'queued'],
  'parked.quota': [() => ({ type: 'quota.reset' }), 'queued'],
  'parked.budget': [() => ({ type: 'budget.renewed' }), 'queued'],
  'parked.outage': [() => ({ type: 'outage.over' }), 'queued'],
  'parked.flagged': [() => ({ type: 'job.resume', eventKey: 'go' }), 'queued'],
  'parked.developer': [() => ({ type: 'job.resume', eventKey: 'go' }), 'queued'],
  'parked.paused': [() => ({ type: 'job.resume', eventKey: 'go' }), 'queued'],
  'parked.halted': [() => ({ type: 'subRuns.goOn' }), 'parked.subRuns'],
  'parked.subRuns': [
    () => ({
      type: 'subRuns.settled',
      counts: { failed: 0, escalated: 0 },
      failures: [],
      failed: 0,
    }),
    'queued',
  ],
  'ended.complete': [() => ({ type: 'job.rerun', phase: 'testing' }), 'queued'],
  'ended.failed': [() => ({ type: 'job.resume', eventKey: 'go' }), 'queued'],
  'ended.escalated': [() => ({ type: 'job.rerun', phase: 'testing' }), 'queued'],
  'ended.cancelled': [() => ({ type: 'job.rerun', phase: 'testing' }), 'queued'],
};

/** Version in which a state came. */
const SINCE: Partial<Record<LeafState, number>> = {
  'parked.subRuns': 2,
  'parked.halted': 2,
  'parked.external': 3,
  'parked.quota': 3,
  'parked.budget': 3,
  'parked.outage': 3,
  'working.judging': 3,
  'parked.flagged': 3,
};

test('there is one of every state of every version', () => {
  const states = (version: number) => LEAF_STATES.filter((state) => version >= (SINCE[state] ?? 1));
  const versions = Array.from({ length: jobChart.version }, (_, n) => n + 1);
  const expected = versions.map((version) =>
    states(version).map((state) => `job.v${version}.${state}.json`),
  );
  assert.equal(FILES.toSorted(), expected.flat().toSorted());
});

for (const name of FILES) {
  test(`${name} is restored by today's code, and continues (RUN-4)`, () => {
    const golden = read(name);
    const state = restored(golden);
    assert.is(golden.chart, jobChart.id);
    assert.equal(
      state.value,
      golden.value,
      'a state that became compound would be restored silently',
    );
    // A member that was added since is missing here: it needs a new version and a migration.
    const written = Object.entries(new SteppedJob().context).filter(([, it]) => it !== undefined);
    const missing = written.filter(([key]) => !(key in state.context));
    assert.equal(missing, []);
    assert.equal([...state.tags], name.includes('.working.') ? ['slot'] : []);

    const [leaf = ''] = listLeafPaths(state.value);
    const [event, to] = GOES_ON[leaf as LeafState];
    const [next] = transition(jobChart.machine, state, {
      at: Date.UTC(2027, 0, 1),
      ...event(state),
    });
    assert.equal(listLeafPaths(next.value), [to]);
  });
}

test('a job that was parked for looping keeps its loop, and a resume counts from zero (JOB-16)', () => {
  const job = new SteppedJob();
  job.snapshot = restored(read('circle.v3.json')) as typeof job.snapshot;
  assert.equal(job.context.parked?.circle, {
    rule: 'state',
    times: 3,
    phases: ['review', 'coding'],
  });
  assert.ok(job.resume('go'));
  assert.equal([job.at, job.context.parked, job.context.progress?.marks], ['queued', null, []]);
});

test('a job of version 2 that waits for approval has shown its first version: what it shows after a message needs `shown` (JOB-5)', () => {
  const job = new SteppedJob();
  job.snapshot = restored(read('job.v2.parked.approval.json')) as typeof job.snapshot;
  const before = job.snapshot;
  assert.is(job.resume('approve'), true);
  job.snapshot = before;
  job.message('think again');
  job.run();
  job.tool('post_artifact', {
    id: 'new',
    kind: 'plan-md',
    title: 'Plan',
    mime: 'text/markdown',
    size: 3,
    sha256: 'new',
  });
  job.end();
  assert.equal(job.at, 'parked.approval');
  assert.equal(job.resume('approve'), false);
  assert.equal(job.approve(), true);
});

test.run();
