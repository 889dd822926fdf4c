import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineDatabaseTests } from '../support/cloud/openTestDatabase.ts';
import { inLongLane } from '../support/longLane.ts';
import { type Continuation, HomeMatrix, type HomePlay } from './homes/homeMatrix.ts';

const test = suite("crash matrix: a home's log");
const dbTest = defineDatabaseTests(test);

/** Where the process dies, and when it passes there for the nth time. */
const POINTS: readonly [point: string, count: number][] = [
  ['claim:before', 1],
  ['claim:after', 1],
  ['built', 2],
  ['writing', 2],
  ['written', 1],
  ['written', 4],
  ['sent', 2],
  ['acknowledged', 3],
  ['effect:before', 1],
  ['effect:after', 2],
  ['checkpoint:before', 1],
  ['checkpoint:after', 1],
];
/** Those of the short version. */
const SHORT: ReadonlySet<string> = new Set(['claim:after', 'written', 'effect:after']);

const matrix = new HomeMatrix();
let clean: HomePlay;

dbTest('without a kill both orders are closed, and the log makes the same state', async () => {
  await matrix.open();
  clean = await matrix.play();
  assert.equal({ ...clean, outcome: null }, { isKilled: false, problems: [], outcome: null });
});

for (const how of ['restart', 'takeover'] satisfies Continuation[])
  for (const [point, count] of POINTS)
    if (inLongLane || SHORT.has(point))
      dbTest(
        `dead at ${point}, time ${count}, then ${how}: the outcome is that of the clean run (RUN-5)`,
        async () => {
          const { isKilled, outcome, problems } = await matrix.play({ point, count }, how);
          assert.is(isKilled, true);
          assert.equal(problems, []);
          assert.equal(outcome, clean.outcome);
        },
      );

test.after(() => matrix.close());

test.run();
