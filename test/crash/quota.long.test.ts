import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Refusal } from '../../demo/model/server.ts';
import { CALLS, openSpendStage, type Person } from '../support/crash/spendStage.ts';

const test = suite('crashes: an account at its limit');

/** Every how many of the points is played; 1 = all. */
const EVERY = Number(process.env.SVC_QUOTA_CRASHES ?? 8);

const USED_UP: Refusal = {
  status: 429,
  headers: { 'retry-after': '3600' },
  body: { type: 'error', error: { type: 'rate_limit_error', message: 'The limit is reached.' } },
};

let limited = true;
let refused = 0;

/** Has the account tried again, for as long as the job waits for it. */
const opens: Person = async (client, { parked }) => {
  if (parked?.kind !== 'quota' || parked.pool === undefined) return;
  limited = false;
  await client.retryAccount({ pool: parked.pool });
};

test('killed around a limit, its park, probe and wake: the job is complete as after no crash (JOB-16)', async () => {
  const stage = await openSpendStage({}, opens, () => {
    if (limited) refused += 1;
    return limited ? USED_UP : null;
  });
  const play = async (name: string, dieAt?: string) => {
    limited = true;
    refused = 0;
    return stage.play(name, dieAt);
  };
  try {
    const whole = await play('whole');
    assert.is(refused, 1);
    const points = whole.points.filter((point) => /quota|init:/.test(point));
    assert.ok(points.length >= 10, whole.points.join(' '));
    for (const [index, point] of points.entries()) {
      if (index % EVERY !== 0) continue;
      const { ledger, reported } = await play(`at-${index}`, point);
      // One more where the refusal was not written down.
      assert.ok(refused <= 2, `${point}: ${refused} refused calls`);
      assert.ok(ledger.calls >= CALLS, point);
      assert.ok(reported.length >= CALLS, point);
    }
  } finally {
    await stage.close();
  }
});

test.run();
