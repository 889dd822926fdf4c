import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { simulate } from './simulate.ts';

const test = suite('simulation: a disk that fills and empties');

/** `npm run sim -- --disk 1000` goes further. */
const SEEDS = 8;

test(`the same truths hold, and all jobs come to an end, in ${SEEDS} storms of crashes in which the disk is low now and then (RUN-6)`, async () => {
  const totals = { low: 0, crashes: 0 };
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { broken, low, counts } = await simulate({ seed, fills: true });
    assert.equal(
      broken,
      [],
      `seed ${seed}; look at it with: npm run sim -- --disk 1 --seed ${seed}`,
    );
    totals.low += low;
    totals.crashes += counts.crashes;
  }
  console.log(JSON.stringify(totals));
  assert.ok(totals.low > SEEDS, 'the disk was low in most storms');
  assert.ok(totals.crashes > SEEDS, 'the runner crashed in most storms');
});

test.run();
