import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { walk } from '../sim/walks.ts';
import { LEAF_STATES } from '../support/charts/jobStates.ts';

const test = suite('random walks of the job chart');

/** `npm run sim -- --walks 20000` goes further. */
const WALKS = 150;
const SEED = Number(process.env.WALK_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`${WALKS} walks with crashes: always a legal state, a parked job knows why, what-if is what then happens (JOB-2 JOB-3 RUN-4)`, async () => {
  console.log(`WALK_SEED=${SEED}`);
  const { events, taken, crashes, states } = await walk({ walks: WALKS, seed: SEED });
  assert.equal(
    Object.keys(states).toSorted(),
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
