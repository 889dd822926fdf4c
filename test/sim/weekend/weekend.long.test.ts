import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WEEKEND } from './truths.ts';
import { over, simulateWeekend, type Weekend } from './weekend.ts';

const test = suite('jobs that are left alone for a weekend');

/** `npm run sim -- --weekend --seed 2` shows another one. */
const SEED = 1;

let weekend: Weekend;
test.before(async () => {
  weekend = await simulateWeekend(SEED);
});
test.after(() => over(weekend));

for (const { sentence, broken } of WEEKEND) {
  test(`${sentence} (JOB-11, JOB-16)`, () => {
    assert.equal(broken(weekend), [], `replay it with: npm run sim -- --weekend --seed ${SEED}`);
  });
}

test.run();
