import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BROKEN } from './faults.ts';
import type { Plan } from './plan.ts';
import { WEEKEND } from './truths.ts';
import { type Fault, over, simulateWeekend } from './weekend.ts';

const test = suite('the truths of the weekend notice what is wrong');

const SEED = 1;

/** Which truths are broken. */
async function untrueIn(plan: Plan, fault: Fault): Promise<string[]> {
  const weekend = await simulateWeekend(SEED, { plan, fault });
  const brokenTruths = WEEKEND.filter(({ broken }) => broken(weekend).length > 0);
  over(weekend);
  return brokenTruths.map(({ sentence }) => sentence);
}

/** The same plans with a product that works: each is lived through once. */
const SOUND = new Map<Plan, Promise<string[]>>();

for (const { sentence, what, plan, fault } of BROKEN) {
  test(`${what}: not true that ${sentence.source.replace(/[\^\\]|\.\*/g, '')}`, async () => {
    const sound = SOUND.get(plan) ?? untrueIn(plan, {});
    SOUND.set(plan, sound);
    assert.equal(
      (await sound).filter((one) => sentence.test(one)),
      [],
      'it holds where nothing is broken',
    );
    const sentences = await untrueIn(plan, fault);
    assert.ok(
      sentences.some((one) => sentence.test(one)),
      `found instead: ${sentences.join('; ') || 'nothing'}`,
    );
  });
}

test('each truth has a fault that it notices', () => {
  assert.equal(
    WEEKEND.map(({ sentence }) => sentence).filter(
      (one) => !BROKEN.some(({ sentence }) => sentence.test(one)),
    ),
    [],
  );
});

test.run();
