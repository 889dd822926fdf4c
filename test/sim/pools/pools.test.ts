import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { brokenBy } from './poolTruths.ts';
import { simulatePool } from './simulatePool.ts';

const test = suite('twelve jobs of one account at its limit');

const SEEDS = 5;

for (let seed = 1; seed <= SEEDS; seed++) {
  test(`seed ${seed}: a limit at a random instant, with crashes in between (JOB-16)`, async () => {
    const run = await simulatePool(seed);
    assert.equal(brokenBy(run), []);
    assert.is(run.kills, 5);
  });
}

for (let seed = 1; seed <= 2; seed++) {
  test(`seed ${seed}: a key that is refused fails four jobs; the others wait and complete (JOB-16)`, async () => {
    const { resetAt, starts, jobs, statuses, broken } = await simulatePool(seed, {
      isBroken: true,
    });
    assert.equal(broken, [], 'nothing that the runner promises is broken');
    const failed = statuses.filter((status) => status === 'failed').length;
    const complete = statuses.filter((status) => status === 'complete').length;
    assert.equal([failed, complete], [4, jobs.length - 4]);
    const [first = 0] = starts.map(({ at }) => at);
    const tried = starts.filter(({ at }) => at > first + 60_000 && at < resetAt);
    assert.ok(tried.length <= 6, `${tried.length} sessions while the key is refused`);
  });
}

test.run();
