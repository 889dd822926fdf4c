import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Job } from '../../src/contract/schema/job/job.ts';
import type { JobTimeline, VisitTimes } from '../../src/contract/schema/job/timeline.ts';
import {
  type ComparedJob,
  comparePhases,
  listComparedFacts,
} from '../../ui/compare/comparedJob.ts';
import { compareChangedFiles, formatChangedLines } from '../../ui/compare/comparedFiles.ts';
import { compareWithMedian, computeMedian, type CountedRun } from '../../ui/compare/medianRun.ts';
import { parseWholeDiff } from '../../ui/jobs/changes/diff/readDiffInSteps.ts';
import { isSilent } from '../../ui/jobs/list/isSilent.ts';
import { parseRoute } from '../../ui/shell/navigation/router.ts';
import { summary } from '../support/summaries.ts';

const test = suite('dashboard: two jobs compared');

const AT = '2026-01-01T00:00:00.000Z';
const visit = (phase: string, workMs: number): VisitTimes => ({
  visit: 1,
  phase,
  outcome: 'advanced',
  from: AT,
  to: AT,
  workMs,
  waitMs: 10,
  queuedMs: 0,
});
const timeline = (...visits: VisitTimes[]): JobTimeline => ({
  at: AT,
  phases: ['planning', 'coding', 'review'],
  visits,
  spans: [],
  sessions: [],
  restarts: [],
  running: null,
});
const createComparedJob = (times: JobTimeline, more: Partial<Job> = {}): ComparedJob => ({
  job: { ...summary('a'), ...more } as Job,
  timeline: times,
  plan: null,
  files: null,
});

test('phases are those that either has visited, in the order of the workflow, visits added up (UI-1)', () => {
  const phases = comparePhases(
    timeline(visit('coding', 5), visit('coding', 7)),
    timeline(visit('planning', 3)),
  );
  assert.equal(
    phases.map(({ phase }) => phase),
    ['planning', 'coding'],
  );
  assert.equal(phases[1]?.times, [
    { visits: 2, workMs: 12, waitMs: 20 },
    { visits: 0, workMs: 0, waitMs: 0 },
  ]);
});

test('tokens that sessions did not report are unknown, not none', () => {
  const findTokens = (more: Partial<Job>) =>
    listComparedFacts(createComparedJob(timeline(), more), createComparedJob(timeline())).find(
      ({ name }) => name === 'Tokens',
    )?.values[0];
  const cost = { usd: null, unpriced: 1, tokens: 0, unreported: 1 };
  assert.is(findTokens({ cost, unreported: 1 }), 'unknown');
  assert.is(findTokens({ cost: { ...cost, tokens: 2_000 }, unreported: 1 }), '2.0 k');
});

test('facts that neither job has are left out', () => {
  const cost = { usd: 1.5, unpriced: 0, tokens: 2_000, unreported: 0 };
  const facts = listComparedFacts(
    createComparedJob(timeline(visit('coding', 5_000)), { cost }),
    createComparedJob(timeline()),
  );
  const names = facts.map(({ name }) => name);
  assert.ok(names.includes('Cost'));
  assert.not.ok(names.includes('Rating'));
  assert.equal(facts.find(({ name }) => name === 'Tokens')?.values, ['2.0 k', '']);
});

const DIFF = (path: string, text: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1,2 @@\n one\n+${text}\n`;
const parseFiles = (text: string) => parseWholeDiff(text).files;

test('files of two changes are paired by path; the same change is the same, wherever it is (UI-1)', () => {
  const a = parseFiles(`${DIFF('a.txt', 'two')}${DIFF('b.txt', 'two')}`);
  const b = parseFiles(`${DIFF('b.txt', 'three')}${DIFF('a.txt', 'two')}${DIFF('c.txt', 'x')}`);
  assert.equal(
    compareChangedFiles(a, b).map(({ path, isSame, changes }) => [
      path,
      isSame,
      ...changes.map((change) => change?.added ?? null),
    ]),
    [
      ['a.txt', true, 1, 1],
      ['b.txt', false, 1, 1],
      ['c.txt', false, null, 1],
    ],
  );
  assert.equal(a.slice(0, 1).map(formatChangedLines), [' one\n+two']);
});

test('one or two jobs have an address', () => {
  const page = (hash: string) => parseRoute(hash).page;
  assert.equal(['#/compare/a', '#/compare/a/b'].map(page), ['compare', 'compare']);
  assert.equal(['#/compare', '#/compare/a/b/c'].map(page), ['missing', 'missing']);
});

test('an agent that wrote nothing for ten minutes is silent', () => {
  const now = Date.parse(AT) + 600_000;
  assert.equal([isSilent(AT, now), isSilent(AT, now - 1)], [true, false]);
});

test('a run is compared with the median of those of which the measure is known (UI-1)', () => {
  const run = (workMs: number, usd: number | null): CountedRun => ({
    job: usd === null ? {} : { cost: { usd, unpriced: 0, tokens: 1, unreported: 0 } },
    timeline: timeline({ ...visit('coding', workMs), waitMs: 0 }),
  });
  const facts = compareWithMedian(run(6_000, 1), [
    run(1_000, null),
    run(3_000, 0.5),
    run(9_000, 0),
  ]);
  const pick = (name: string) => facts.find((fact) => fact.name === name);
  assert.equal(pick('Work'), { name: 'Work', own: '6.0 s', median: '3.0 s', ratio: 2 });
  assert.equal(pick('Work in coding')?.ratio, 2);
  assert.equal(pick('Cost'), { name: 'Cost', own: '$1.00', median: '$0.250', ratio: 4 });
  // A median of nothing has no multiple.
  assert.is(pick('Waits')?.ratio, null);
  assert.equal(
    compareWithMedian(run(1, 1), [])
      .map(({ median }) => median)
      .join(''),
    '',
  );
});

test('a median is the middle, or between the two middle values (UI-1)', () => {
  assert.is(computeMedian([9, 1, 3]), 3);
  assert.is(computeMedian([4, 1, 3, 2]), 2.5);
  assert.is(computeMedian([]), null);
});

test.run();
