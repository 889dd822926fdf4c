import { availableParallelism } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { distinctPoints, everyNth, playMatrix } from '../support/crash/crashMatrix.ts';
import { shortCampaign } from '../support/crash/crashScenario.ts';
import { CrashStage, type Played } from '../support/crash/crashStage.ts';

const test = suite('crash matrix: a campaign');

/**
 * Commits and effects of the coordinator: the dispatcher's own, and how its parent hears of it. The
 * rest is in matrix.test.ts.
 */
const COORDINATORS = /subRun|parent\.|job\.cancel/;
/**
 * What has to be among them: registered, dispatched, ended, halted, decided in each way, stopped,
 * settled.
 */
const PARTS = [
  ...['register', 'finalize', 'rerun', 'cancel', 'skip', 'halted', 'goOn', 'settled'].map(
    (name) => `subRuns.${name}`,
  ),
  'parent.parked',
  'subRun.prepared',
  'subRun.ended',
  'job.cancel',
  'effect:subRun.dispatch:before',
  'effect:subRun.dispatch:after',
  'effect:subRun.stop:before',
  'effect:subRun.stop:after',
];

/** Every how many of the points is played. */
const EVERY = 6;

const stage = new CrashStage(shortCampaign);
let clean: Played;

test.after(() => stage.remove());

test('without a crash the campaign halts twice, is decided on each time, and its parent is complete', async () => {
  clean = await stage.play();
  const { outcome, problems, death } = clean;
  assert.equal(problems, []);
  assert.equal(death, null);
  assert.equal(outcome.jobs, 4);
  assert.equal(outcome.job.status, 'complete');
  assert.equal(outcome.job.subRuns, [
    ['a', 'complete', 2, null, { lane: 'child' }],
    ['b', 'failed', 1, 'cancelled by developer: not wanted', { lane: 'waits' }],
    ['c', 'skipped', 1, 'skipped by developer', {}],
  ]);
  const countReports = (type: string) =>
    outcome.journal.filter((line) => line.startsWith(`${type} `)).length;
  assert.equal(countReports('subRuns.halted'), 2);
  assert.equal(countReports('subRuns.goOn'), 2);
  assert.equal(countReports('subRuns.settled'), 1);
});

// Some points: `npm run test:crash -- --campaign` plays all of them.
test('killed before or after what the coordinator commits and does, it ends the same, with as many jobs (SUB-7)', async () => {
  const points = clean.points.filter((point) => COORDINATORS.test(point));
  assert.equal(
    PARTS.filter((part) => !points.some((point) => point.includes(part))),
    [],
    points.join(' '),
  );
  const played = everyNth(
    distinctPoints(clean.points).filter((point) => points.includes(point)),
    EVERY,
  );
  const { missed, wrong, ...report } = await playMatrix(stage, clean, {
    points: played,
    atOnce: availableParallelism() + 1,
  });
  console.log(`\nnote: ${JSON.stringify(report)}`);
  assert.equal(
    { missed, wrong: wrong.length, first: wrong.slice(0, 5) },
    { missed: [], wrong: 0, first: [] },
  );
  assert.is(report.crashes, played.length);
});

test.run();
