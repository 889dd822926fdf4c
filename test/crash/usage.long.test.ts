import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CALLS, knownAfter, openSpendStage, sumReported } from '../support/crash/spendStage.ts';

const test = suite('crashes: the ledger of calls');

/** Every how many of the points is played; 1 = all. */
const EVERY = Number(process.env.SVC_USAGE_CRASHES ?? 3);

test('killed around the record of a call: the ledger is what the endpoint has reported, but for an answer that was not recorded (JOB-11)', async () => {
  const stage = await openSpendStage({});
  try {
    const whole = await stage.play('whole');
    assert.is(whole.ledger.calls, CALLS);
    assert.equal(whole.ledger, sumReported(whole.reported));
    const points = whole.points.filter((point) => /usage_calls|session\.ended/.test(point));
    assert.ok(points.length >= 8, points.join(' '));
    for (const [index, point] of points.entries()) {
      if (index % EVERY !== 0) continue;
      const { ledger, reported } = await stage.play(`at-${index}`, point);
      assert.equal(ledger, sumReported(knownAfter(point, reported)), point);
    }
  } finally {
    await stage.close();
  }
});

test.run();
