import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { killDispatches } from '../../support/cloud/killDispatches.ts';
import { killRunners } from '../../support/cloud/killRunners.ts';
import { storedTests } from '../../support/cloud/openTestDatabase.ts';
import { inLongLane } from '../../support/longLane.ts';

const test = suite('cloud: dispatches while runners and nodes are killed');
const stored = storedTests(test);

/** Real runners: their own databases say what was made. */
async function checkRunners(dispatches: number, kills: number, seed: number) {
  const report = await killRunners({ dispatches, kills, seed });
  const made = report.made.flat();
  assert.equal(made.toSorted(), report.dispatches.map(({ id }) => id).toSorted());
  assert.equal(
    report.jobs,
    report.made.map((keys) => keys.length),
  );
  assert.is(report.unexplained, 0);
  console.log(
    `${dispatches} dispatches to real runners: ${report.runnerKills} runners and ${report.nodeKills} nodes killed`,
  );
}

/** Doubles that are killed in the middle of each request: more kills hit one than with real runners. */
async function checkDoubles(dispatches: number, kills: number, seed: number) {
  const report = await killDispatches({ dispatches, kills, seed });
  const made = report.made.flat();
  assert.is(made.length, dispatches);
  assert.is(new Set(made).size, dispatches);
  assert.equal(made.toSorted(), report.dispatches.map(({ id }) => id).toSorted());
  assert.is(report.unexplained, 0);
  console.log(
    `${dispatches} dispatches, ${kills} kills: ${report.asked} requests made a job or repeated it`,
  );
}

stored('each job is made exactly once by real runners: 40 dispatches, 10 kills (CLD-5)', () =>
  checkRunners(40, 10, 7),
);

if (inLongLane) {
  stored(
    'each job is made exactly once by real runners: 300 dispatches, 40 kills (CLD-5, CLD-6)',
    () => checkRunners(300, 40, 11),
  );
  stored(
    'each job is made exactly once by runners that die in mid-request: 300 dispatches, 40 kills (CLD-5, CLD-6)',
    () => checkDoubles(300, 40, 11),
  );
}

test.run();
