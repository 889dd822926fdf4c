import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { killDispatches } from '../../support/cloud/killDispatches.ts';
import { defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { inLongLane } from '../../support/longLane.ts';

// Runs in a process of its own: requests that its kills cut off outlive it.
const test = suite('cloud: dispatches while runners and nodes are killed');
const dbTest = defineDatabaseTests(test);

/** Doubles that are killed in the middle of each request: more kills hit one than with real runners. */
async function check(dispatches: number, kills: number, seed: number) {
  const report = await killDispatches({ dispatches, kills, seed });
  const dispatchIds = report.made.flat();
  assert.is(dispatchIds.length, dispatches);
  assert.is(new Set(dispatchIds).size, dispatches);
  assert.equal(dispatchIds.sort(), report.dispatches.map(({ id }) => id).sort());
  assert.is(report.unexplained, 0);
  console.log(
    `${dispatches} dispatches, ${kills} kills: ${report.asked} requests made a job or repeated it`,
  );
}

dbTest('each job is made exactly once: 40 dispatches, 10 kills (CLD-5)', () => check(40, 10, 7));

if (inLongLane)
  dbTest('each job is made exactly once: 300 dispatches, 40 kills (CLD-5, CLD-6)', () =>
    check(300, 40, 11),
  );

test.run();
