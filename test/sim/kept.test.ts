import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { simulate } from './simulate.ts';

const test = suite('simulation: seeds that have failed once');

/** Seed → what it has shown, and where the fix is. */
const KEPT: Readonly<Record<number, string>> = {
  917: 'an effect that a start gave up was neither run nor given up when the disk was full just then (src/kernel/outbox.ts)',
  943: 'what a session was given was not unread again when it had escalated and was then paused (machines/job/phaseChanges.ts)',
};

for (const [seed, description] of Object.entries(KEPT)) {
  test(`seed ${seed}: ${description}`, async () => {
    const { broken } = await simulate({ seed: Number(seed) });
    assert.equal(broken, [], `look at it with: npm run sim -- --seed ${seed}`);
  });
}

test.run();
