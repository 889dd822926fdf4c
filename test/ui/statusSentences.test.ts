import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Parked } from '../../src/contract/schema/job/job.ts';
import type { PrMapping } from '../../src/contract/schema/forge/pr.ts';
import type { SubRunSpec } from '../../src/contract/schema/job/subRun.ts';
import { describeJobTime } from '../../ui/jobs/page/describeJobTime.ts';
import {
  buildStatusSentence,
  listStatusSentences,
} from '../../ui/jobs/page/listStatusSentences.ts';

const test = suite('dashboard: the status of a job in sentences');

const parked = (kind: Parked['kind'], reason: string): Parked => ({
  kind,
  since: '2026-01-01T00:00:00.000Z',
  reason,
});
const PR: PrMapping = {
  prId: 'local:shop#1',
  forge: 'local',
  repo: 'shop',
  number: 1,
  title: 'Fix it',
  head: 'j/x',
  base: 'main',
  url: '',
  state: 'open',
  workItem: null,
  mergedAt: null,
};
const PART: SubRunSpec = {
  name: 'web',
  description: '',
  params: {},
  dependsOn: [],
  trackerRef: null,
  jobId: null,
  status: 'failed',
  startedAt: null,
  completedAt: null,
  attempt: 1,
  reason: null,
};
const of = (one: Parked | null, ...waits: string[]) =>
  listStatusSentences({ parked: one, needs: null, reason: null }, waits);

test('what a job waits for at a forge is said once, as it is now (UI-1)', () => {
  const reason = 'waits for an event on local:shop#4 or another of its pull requests';
  assert.equal(of(parked('event', reason), 'for a review or merge of shop#4'), [
    'Waits for a review or merge of shop#4.',
  ]);
});

test('two sentences that say the same are one', () => {
  const reason = 'the repository cannot be reached: svc tries again at 14:00';
  assert.equal(of(parked('outage', reason), 'until it answers', reason), [
    'The repository cannot be reached: svc tries again at 14:00.',
    'Waits until it answers.',
  ]);
});

test('a pause says how it continues', () => {
  assert.equal(of(parked('paused', 'paused by a developer')), ['Paused. Resume it to continue.']);
});

test('a complete job that changed nothing says what it lacks', () => {
  const ending = { text: '', openPrs: [], mergedPrs: 0, closedPrs: 0, unchanged: true as const };
  const job = { parked: null, needs: null, ending, reason: 'it opened no pull request' };
  assert.equal(listStatusSentences(job, []), ['No changes: it opened no pull request.']);
});

const JOB: Parameters<typeof buildStatusSentence>[0] = {
  id: 'j',
  parked: null,
  needs: null,
  reason: null,
  ended: false,
  status: 'coding',
  prMappings: [],
  subRuns: [],
};
/** Each part of the sentence in the head, and where it leads. */
const headParts = (job: Partial<typeof JOB>, ...waits: string[]) =>
  buildStatusSentence({ ...JOB, ...job }, waits).map(({ text, href }) => [text, href]);

test('pull requests of the job are links in the sentence of its head, and the longer name wins (UI-1)', () => {
  const prMappings = [1, 12].map((number) => ({ ...PR, prId: `local:shop#${number}`, number }));
  assert.equal(headParts({ prMappings }, 'for a review or merge of shop#12 or shop#1'), [
    ['Waits for a review or merge of ', null],
    ['shop#12', '#/jobs/j/changes/local%3Ashop%2312'],
    [' or ', null],
    ['shop#1', '#/jobs/j/changes/local%3Ashop%231'],
    ['.', null],
  ]);
});

test('a halted campaign names the failed sub-runs, each a link to its job (UI-1)', () => {
  const part = (name: string, status: SubRunSpec['status']) => ({
    ...PART,
    name,
    status,
    jobId: `j-${name}`,
  });
  const subRuns = [part('web', 'failed'), part('docs', 'complete'), part('api', 'escalated')];
  assert.equal(headParts({ parked: parked('halted', 'web, api'), subRuns }), [
    ['Waits for you to decide about ', null],
    ['web', '#/jobs/j-web'],
    [' and ', null],
    ['api', '#/jobs/j-api'],
    ['.', null],
  ]);
});

test('the head of a failed job says why it failed, not that it waits for nothing (UI-1)', () => {
  const failed = { ended: true, status: 'failed', reason: 'phase work: it broke' };
  assert.equal(headParts(failed, 'for nothing: the job has failed; you can resume it'), [
    ['It broke.', null],
  ]);
});

test('the one time of the head: how long it runs or waits, or how long ago it ended (UI-1)', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
  const now = Date.parse(at(60));
  const job = { ended: false, parked: null, createdAt: at(0) };
  const says = (
    more: Partial<Parameters<typeof describeJobTime>[0]>,
    timeline: Parameters<typeof describeJobTime>[1],
  ) => describeJobTime({ ...job, ...more }, timeline, now).says;
  const span = { kind: 'working', visit: 1, waitsFor: null, reason: null, from: at(10) } as const;
  const running = { since: at(52), visit: 1, lastLine: null };
  assert.is(says({}, { spans: [{ ...span, to: null }], running }), 'running 8 min');
  assert.is(says({}, { spans: [{ ...span, to: null }], running: null }), 'for 50 min');
  const waits = { ...parked('event', 'why'), since: at(49) };
  assert.is(says({ parked: waits }, { spans: [], running: null }), 'for 11 min');
  assert.is(
    says({ ended: true }, { spans: [{ ...span, to: at(57) }], running: null }),
    '3 min ago',
  );
  assert.is(says({}, null), 'for 1 h');
});

test.run();
