import { availableParallelism } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { distinctPoints, everyNth, playMatrix } from '../support/crash/crashMatrix.ts';
import { loopJob } from '../support/crash/crashScenario.ts';
import { CrashStage, type Played } from '../support/crash/crashStage.ts';

const test = suite('crash matrix: a job that loops without progress');

/** Every how many of the points is played. */
const EVERY = 4;

const stage = new CrashStage(loopJob);
let clean: Played;

test.after(() => stage.remove());

test('without a crash it is parked after the third loop, and a message brings it to its end', async () => {
  clean = await stage.play();
  const { outcome, problems } = clean;
  assert.equal(problems, []);
  assert.is(outcome.job.status, 'complete');
  assert.is(outcome.journal.filter((row) => row.endsWith('parked.developer')).length, 1);
});

/** From the second loop's end on: the loops before it are phases like others. */
const aroundThePark = ({ points }: Played): string[] =>
  points.slice(
    points.indexOf('commit:tool.goto_phase:before#2'),
    points.findIndex((point) => /job\.message.*:after/.test(point)) + 1,
  );

// Some points: `npm run test:crash -- --loop` plays all of them.
test('killed around the park and the message, it is parked once and ends the same (RUN-4, JOB-16)', async () => {
  const all = distinctPoints(aroundThePark(clean));
  assert.ok(all.length > 5, clean.points.join(' '));
  const points = everyNth(all, EVERY);
  const { missed, wrong, ...report } = await playMatrix(stage, clean, {
    points,
    atOnce: availableParallelism() + 1,
  });
  console.log(`\nnote: ${JSON.stringify(report)}`);
  assert.equal({ missed, wrong }, { missed: [], wrong: [] });
});

test.run();
