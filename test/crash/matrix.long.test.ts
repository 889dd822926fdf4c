import { availableParallelism } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { distinctPoints, playMatrix, takeSample } from '../support/crash/crashMatrix.ts';
import { shortJob } from '../support/crash/crashScenario.ts';
import { CrashStage, type Played } from '../support/crash/crashStage.ts';
import { inLongLane } from '../support/longLane.ts';

const test = suite('crash matrix: the default workflow');

/** Every how many of the commits is played; and each effect once. */
const EVERY = inLongLane ? 18 : 30;

const stage = new CrashStage(shortJob);
let clean: Played;

test.after(() => stage.remove());

test('without a crash the job is complete, with one merged pull request', async () => {
  clean = await stage.play();
  const { outcome, problems, death } = clean;
  assert.equal(problems, []);
  assert.equal(death, null);
  assert.equal(outcome.jobs, 1);
  assert.equal(outcome.job.status, 'complete');
  assert.equal(
    outcome.commits.filter((line) => line.endsWith('(2 parents)')),
    ['Merge pull request #1: Add a note (2 parents)'],
  );
  assert.ok(
    clean.points.length > 100,
    `the points are put around what matters: ${clean.points.join(' ')}`,
  );
});

// Some points: `npm run test:crash` plays all of them, with the longer job of the demo.
test('killed at points where a crash could lose something new, it ends the same; nothing is lost or done twice (RUN-4)', async () => {
  const distinct = distinctPoints(clean.points);
  assert.ok(distinct.length > 70, distinct.join(' '));
  const points = takeSample(distinct, EVERY);
  const { missed, wrong, ...report } = await playMatrix(stage, clean, {
    points,
    atOnce: availableParallelism() + 1,
  });
  console.log(`\nnote: ${JSON.stringify(report)}`);
  assert.equal(
    { missed, wrong: wrong.length, first: wrong.slice(0, 5) },
    { missed: [], wrong: 0, first: [] },
  );
  assert.is(report.crashes, report.points);
});

test.run();
