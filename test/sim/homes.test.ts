import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inLongLane } from '../support/longLane.ts';
import { simulateHome } from './homes/simulateHome.ts';

const test = suite('simulation of a home with a log');

const SEEDS = inLongLane ? 10_000 : 200;
/** Within these seeds each sabotage is seen. */
const SABOTAGED_SEEDS = 60;

test(`in ${SEEDS} runs nothing that was acknowledged is lost or doubled, no claim is passed over, and nothing acts for a home that another process has (RUN-5)`, async () => {
  const sums = { entries: 0, claims: 0, acts: 0, acknowledged: 0, faults: 0 };
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { problems, counts } = await simulateHome(seed);
    assert.equal(problems, [], `seed ${seed}`);
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += counts[name];
  }
  console.log(`\nnote: ${JSON.stringify(sums)}`);
  for (const [name, sum] of Object.entries(sums)) assert.ok(sum > SEEDS, `only ${sum} ${name}`);
});

for (const sabotage of ['fence', 'lease'] as const) {
  test(`without the ${sabotage} the same runs fail: they can see it (RUN-5)`, async () => {
    let problems: string[] = [];
    for (let seed = 1; seed <= SABOTAGED_SEEDS && problems.length === 0; seed += 1)
      ({ problems } = await simulateHome(seed, sabotage));
    assert.ok(problems.length > 0);
  });
}

test('the same seed gives the same run', async () => {
  assert.equal(await simulateHome(4711), await simulateHome(4711));
});

test.run();
