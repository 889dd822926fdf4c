import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  knownAfter,
  openSpendStage,
  type Person,
  sumReported,
} from '../support/crash/spendStage.ts';

const test = suite('crashes: budgets');

/** Every how many of the points is played; 1 = all. */
const EVERY = Number(process.env.SVC_BUDGET_CRASHES ?? 18);
/** Tokens: the first call spends it. */
const CAP = 1;
const RAISE = 1_000_000;

/** Raises the budget that has stopped the job, once: with one key for every try. */
const raises: Person = async (client, { id, parked }) => {
  if (parked?.kind === 'budget')
    await client.resume(id, { budget: { tokens: RAISE } }, { idempotencyKey: 'raise' });
};

test('killed around hold, settlement, park and raise of a budget: it is as after no crash (JOB-11, JOB-16)', async () => {
  const stage = await openSpendStage({ job: { tokens: CAP }, day: { usd: 1_000 } }, raises);
  try {
    const whole = await stage.play('whole');
    assert.is(whole.before.length, 1, 'the job was stopped after its first call');
    const isNear = (point: string) =>
      /budget|usage_calls|session\.ended|slot|job\.resume/.test(point);
    const points = whole.points.filter(isNear);
    assert.ok(points.length >= 10, whole.points.join(' '));
    for (const [index, point] of points.entries()) {
      if (index % EVERY !== 0) continue;
      const { ledger, reported, before, budgets } = await stage.play(`at-${index}`, point);
      // One call, and one more where the answer to the first was lost in the crash.
      assert.ok(before.length <= 2, `${point}: ${before.length} calls before the raise`);
      assert.equal(ledger, sumReported(knownAfter(point, reported)), point);
      assert.equal(
        budgets.map(({ scope, metric, cap, held }) => [scope, metric, cap, held]),
        [
          ['job', 'tokens', CAP + RAISE, 0],
          ['day', 'usd', 1_000, 0],
        ],
        point,
      );
    }
  } finally {
    await stage.close();
  }
});

test.run();
