import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BROKEN, SETTLING_AGAIN } from './rating/faults.ts';
import { listBrokenTruths, JUDGING_TRUTHS } from './rating/ratingTruths.ts';
import { simulateRating } from './rating/simulateRating.ts';

const test = suite('simulation of ratings');

const life = await simulateRating({ seed: 1, jobs: 40 });

test('what must hold of ratings holds while the runner dies (OVR-3, OVR-4)', () => {
  assert.equal(listBrokenTruths(life), []);
});

test('many phases were rated', () => assert.ok(life.ratings > 100, `${life.ratings} ratings`));
test('some were not', () => assert.ok(life.skips > 10, `${life.skips} skips`));
test('some jobs were paused (OVR-5)', () => assert.ok(life.pauses >= 5, `${life.pauses} pauses`));
test('the runner died meanwhile', () => assert.ok(life.restarts > 10, `${life.restarts}`));

for (const [sentence, what, fault] of BROKEN)
  test(`${what}: it is noticed that it is not true that ${sentence}`, async () => {
    const broken = await simulateRating({ seed: 1, jobs: 5, fault });
    assert.ok(listBrokenTruths(broken).includes(sentence), listBrokenTruths(broken).join('; '));
  });

test('without a fault the same jobs hold all of it', async () => {
  assert.equal(listBrokenTruths(await simulateRating({ seed: 1, jobs: 5 })), []);
});

test('so do jobs that settle once more after a person has continued what was flagged', async () => {
  const fault = { chart: SETTLING_AGAIN };
  assert.equal(listBrokenTruths(await simulateRating({ seed: 1, jobs: 5, fault })), []);
});

test('each truth has a fault that it notices', () => {
  assert.equal(
    BROKEN.map(([sentence]) => sentence),
    JUDGING_TRUTHS,
  );
});

test.run();
