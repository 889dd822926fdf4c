import { availableParallelism } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CrashMatrix, type Played } from '../support/crashMatrix.ts';
import { shortJob } from '../support/crashScenario.ts';

const test = suite('crash matrix: the default workflow');

/** Plays of a point whose group of events was cut otherwise; each is counted. */
const TRIES = 3;

const matrix = new CrashMatrix(shortJob);
let clean: Played;

test.after(() => matrix.remove());

test('without a crash the job is complete, with one merged pull request', async () => {
  clean = await matrix.play();
  assert.equal([clean.problems, clean.death, clean.outcome.job.status], [[], null, 'complete']);
  assert.equal(clean.outcome.commits.filter((line) => line.endsWith('(2 parents)')), ['Merge pull request #1: Add a note (2 parents)']);
});

test('killed before or after any commit or effect, the job ends the same and nothing is lost or done twice (RUN-4)', async () => {
  const began = performance.now();
  const wrong: string[] = [];
  let plays = 0;
  const crashed = await matrix.playAll(clean.points, availableParallelism() + 1, TRIES, (point, played) => {
    plays += 1;
    try {
      assert.equal(played.outcome, clean.outcome);
      assert.equal(played.problems, []);
    } catch (error) {
      wrong.push(`${point}: ${error instanceof Error ? `${error.message}\n${Reflect.get(error, 'details')}` : String(error)}`);
    }
  });
  const missed = clean.points.filter((point) => !crashed.has(point));
  const revived = [...crashed.values()].flatMap(({ revivedMs }) => revivedMs ?? []).sort((a, b) => a - b);
  console.log(
    `${clean.points.length} fault points, ${crashed.size} crashes, ${plays} plays in ${((performance.now() - began) / 1000).toFixed(1)} s; ` +
      `answering again after ${Math.round(revived[revived.length >> 1] ?? 0)} ms (median), ${Math.round(revived.at(-1) ?? 0)} ms (slowest)`,
  );
  assert.equal({ missed, wrong }, { missed: [], wrong: [] });
});

test.run();
