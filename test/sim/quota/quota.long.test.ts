import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { brokenBy, FAILING_TRUTHS } from './quotaTruths.ts';
import { simulateQuota } from './simulateQuota.ts';
import { inLongLane } from '../../support/longLane.ts';

const test = suite('twelve jobs of one account at its limit');

const SEEDS = inLongLane ? 5 : 2;

for (let seed = 1; seed <= SEEDS; seed++) {
  test(`seed ${seed}: a limit at a random instant, with crashes in between (JOB-16)`, async () => {
    const run = await simulateQuota(seed);
    assert.equal(brokenBy(run), []);
    assert.is(run.kills, 5);
  });
}

for (let seed = 1; seed <= SEEDS / 2; seed++) {
  test(`seed ${seed}: a key that is refused fails four jobs; the others wait and complete (JOB-16)`, async () => {
    const run = await simulateQuota(seed, { isBroken: true });
    assert.equal(brokenBy(run, FAILING_TRUTHS), []);
  });
}

test.run();
