import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { walk } from '../sim/walks.ts';
import { LEAF_STATES } from '../support/charts/jobStates.ts';
import { inLongLane } from '../support/longLane.ts';

const test = suite('random walks of the job chart');

/** `npm run sim -- --walks 20000` goes further. */
const WALKS = inLongLane ? 150 : 100;
/** Chance may leave out a state: then as many walks again, at most so many times. */
const MOST_TIMES = 5;
/** CI takes a seed whose walks pass through every state; the long lane another one each time. */
const CI_SEED = 5_000;
const SEED = Number(
  process.env.WALK_SEED ?? (inLongLane ? Math.floor(Math.random() * 2 ** 31) : CI_SEED),
);

test(`${WALKS} walks with crashes: always a legal state, a parked job knows why, what-if is what then happens (JOB-2 JOB-3 RUN-4)`, async () => {
  console.log(`WALK_SEED=${SEED}`);
  let [events, taken, crashes] = [0, 0, 0];
  const states = new Set<string>();
  for (let time = 0; time < MOST_TIMES && states.size < LEAF_STATES.length; time++) {
    const walked = await walk({ walks: WALKS, seed: SEED + time * WALKS });
    events += walked.events;
    taken += walked.taken;
    crashes += walked.crashes;
    for (const state of Object.keys(walked.states)) states.add(state);
  }
  assert.equal(
    [...states].toSorted(),
    [...LEAF_STATES].toSorted(),
    'the walks pass through every state',
  );
  assert.ok(
    taken > events * 0.2,
    `only ${taken} of ${events} events were taken: the walks prove little`,
  );
  assert.ok(crashes > WALKS, `only ${crashes} crashes`);
});

test.run();
