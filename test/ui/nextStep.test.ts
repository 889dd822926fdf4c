import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobChart } from '../../machines/index.ts';
import type { Parked, ParkKind } from '../../src/contract/schema/job/job.ts';
import type { PrMapping } from '../../src/contract/schema/forge/pr.ts';
import type { SubRunSpec } from '../../src/contract/schema/job/subRun.ts';
import { pickNextStep, type NextStepJob } from '../../ui/jobs/page/pickNextStep.ts';

const test = suite('dashboard: the one thing to do about a job');

const SINCE = '2026-01-01T00:00:00.000Z';
const parked = (kind: ParkKind, more: Partial<Parked> = {}): Parked => ({
  kind,
  since: SINCE,
  reason: 'why',
  ...more,
});
const pr: PrMapping = {
  prId: 'local:shop#2',
  forge: 'local',
  repo: 'shop',
  number: 2,
  title: 'Fix it',
  head: 'j/x',
  base: 'main',
  url: '',
  state: 'open',
  workItem: null,
  mergedAt: null,
};
const part = (name: string, status: SubRunSpec['status']): SubRunSpec => ({
  name,
  description: '',
  params: {},
  dependsOn: [],
  trackerRef: null,
  jobId: null,
  status,
  startedAt: null,
  completedAt: null,
  attempt: 1,
  reason: null,
});
const JOB: NextStepJob = {
  id: 'j',
  status: 'coding',
  ended: false,
  parked: null,
  state: [],
  approval: null,
  awaitingPrId: null,
  prMappings: [],
  subRuns: [],
  phases: [],
  needs: null,
};
const createEndedFields = (
  status: string,
  more: Partial<NextStepJob> = {},
): Partial<NextStepJob> => ({
  status,
  ended: true,
  ...more,
});

/** By leaf state of the chart: a job in it, what is to be done, and whether it is the blue button. */
const TABLE: Readonly<Record<string, readonly [Partial<NextStepJob>, string | null, boolean]>> = {
  queued: [{ status: 'queued' }, 'Pause', false],
  'working.preparing': [{}, 'Pause', false],
  'working.inSession': [{}, 'Pause', false],
  'working.judging': [{}, 'Pause', false],
  'working.settling': [{}, 'Pause', false],
  'working.routing': [{}, 'Pause', false],
  'working.stopping': [{}, 'Pause', false],
  'working.stopped': [{}, 'Pause', false],
  'parked.approval': [{ parked: parked('approval') }, 'Approve', true],
  'parked.answered': [{}, 'Pause', false],
  'parked.event': [{ parked: parked('event'), prMappings: [pr] }, 'Review #2', true],
  'parked.external': [{ parked: parked('external') }, 'Report what happened', true],
  'parked.quota': [{ parked: parked('quota', { until: SINCE }) }, 'Try again now', false],
  'parked.budget': [{ parked: parked('budget') }, 'Raise the budget', true],
  'parked.outage': [{ parked: parked('outage', { until: SINCE }) }, 'Try again now', false],
  'parked.developer': [{ parked: parked('developer') }, 'Reply', true],
  'parked.flagged': [{ parked: parked('flagged') }, 'Decide about the flag', true],
  'parked.dismissed': [{}, 'Pause', false],
  'parked.subRuns': [{ parked: parked('subRuns') }, 'Open the campaign', false],
  'parked.halted': [
    { parked: parked('halted'), subRuns: [part('api', 'complete'), part('web', 'failed')] },
    'Decide about web',
    true,
  ],
  'parked.paused': [{ parked: parked('paused') }, 'Resume', true],
  'parked.released': [{}, 'Pause', false],
  'ended.complete': [createEndedFields('complete'), 'Run again', false],
  'ended.failed': [createEndedFields('failed'), 'Resume', true],
  'ended.escalated': [createEndedFields('escalated'), 'Rerun a phase …', true],
  'ended.cancelled': [createEndedFields('cancelled'), 'Run again', false],
};

/** Paths of the states that have no states below them. */
function leaves(states: object, prefix = ''): string[] {
  return Object.entries(states).flatMap(([name, node]) => {
    const below = (node as { states?: object }).states ?? {};
    const path = `${prefix}${name}`;
    return Object.keys(below).length === 0 ? [path] : leaves(below, `${path}.`);
  });
}

const all = () => true;
const pickStep = (job: Partial<NextStepJob>, can = all) => pickNextStep({ ...JOB, ...job }, can);

test('every state of a job is in the table (UI-1)', () => {
  assert.equal(leaves(jobChart.machine.config.states ?? {}).sort(), Object.keys(TABLE).sort());
});

for (const [state, [job, says, isPrimary]] of Object.entries(TABLE))
  test(`${state}: ${says} (UI-1)`, () => {
    const step = pickStep(job);
    assert.equal([step?.says ?? null, step?.isPrimary ?? false], [says, isPrimary]);
  });

test('what goes around a decision is never the one thing (UI-1)', () => {
  for (const kind of ['approval', 'event', 'developer', 'flagged', 'halted', 'external'] as const)
    for (const prMappings of [[], [pr]])
      assert.is(pickStep({ parked: parked(kind), prMappings })?.command ?? null, null, kind);
});

test('a review names its pull request with what it changes', () => {
  const job = { ...JOB, parked: parked('event'), prMappings: [pr] };
  const step = pickNextStep(job, all, { files: 2, added: 17, removed: 0 });
  assert.is(step?.says, 'Review #2 (2 files, +17)');
  assert.is(step?.href, '#/jobs/j/changes/local%3Ashop%232');
  assert.is(
    pickNextStep(job, all, { files: 1, added: 4, removed: 9 })?.says,
    'Review #2 (1 file, +4 −9)',
  );
});

test('the pull request that is awaited is reviewed first, and none that is over', () => {
  const first = { ...pr, prId: 'local:shop#1', number: 1 };
  const prMappings = [first, pr];
  const waits = { parked: parked('event'), prMappings };
  assert.is(pickStep({ ...waits, awaitingPrId: 'local:shop#1' })?.says, 'Review #1');
  const merged = { ...waits, prMappings: [first, { ...pr, state: 'merged' as const }] };
  assert.is(pickStep(merged)?.says, 'Review #1');
});

test('where only a person can help it is the blue button, and quiet where it comes by itself', () => {
  const needsPerson = true as const;
  const step = (kind: ParkKind, more: Partial<Parked> = {}) =>
    pickStep({ parked: parked(kind, more) });
  assert.equal(
    [step('outage', { needsPerson })?.says, step('outage', { needsPerson })?.isPrimary],
    ['Try again', true],
  );
  assert.is(step('subRuns', { needsPerson })?.isPrimary, true);
  assert.is(step('event', { needsPerson })?.isPrimary, true);
  assert.is(step('quota')?.says, 'See the account');
});

test('a change that a guardrail stopped is to be decided about', () => {
  const reason = 'guardrail large-diff: the change has 3,000 lines.';
  assert.is(pickStep({ parked: parked('developer', { reason }) })?.says, 'Decide about the change');
});

test('several failed parts are counted; a failed job that cannot continue is run again', () => {
  const subRuns = [part('a', 'failed'), part('b', 'escalated')];
  assert.is(pickStep({ parked: parked('halted'), subRuns })?.says, 'Decide about 2 failures');
  assert.is(pickStep(createEndedFields('failed'), () => false)?.says, 'Run again');
});

test.run();
