import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CAPS, CAPS_AT_THE_END, randomCaps } from './capTruths.ts';
import { Chance } from './chance.ts';
import { simulate } from './simulate.ts';

const test = suite('simulation: caps');

/** Storms that are played. */
const SEEDS = 6;

test(`${CAPS.length + CAPS_AT_THE_END.length} truths of caps hold in ${SEEDS} storms of crashes, and the ledger equals a replay (JOB-11, JOB-16)`, async () => {
  const totals = { crashes: 0, calls: 0, stops: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const caps = randomCaps(new Chance(`caps ${seed}`));
    const { broken, counts } = await simulate({ seed, spends: true, caps });
    assert.equal(broken, [], `seed ${seed}`);
    totals.crashes += counts.crashes;
    totals.calls += counts.calls;
    totals.stops += counts.spent;
  }
  console.log(JSON.stringify(totals));
  assert.ok(totals.crashes > SEEDS, 'the runner crashed in most storms');
  assert.ok(totals.stops > SEEDS, 'budgets stopped jobs');
});

test.run();
