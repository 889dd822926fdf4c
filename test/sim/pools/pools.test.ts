import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { simulatePool } from './simulatePool.ts';

const test = suite('twelve jobs of one account at its limit');

/** Time from the reset within which all jobs move, ms. */
const MOVING_MS = 60_000;
const SEEDS = 5;

for (let seed = 1; seed <= SEEDS; seed++) {
  test(`seed ${seed}: a limit at a random instant, with crashes in between (JOB-16)`, async () => {
    const { limitAt, resetAt, starts, refused, jobs, statuses, broken, kills } =
      await simulatePool(seed);
    assert.equal(broken, [], 'nothing that the runner promises is broken');
    const during = starts.filter(({ at }) => at > limitAt && at < resetAt);
    const firstHit = limitAt + 4_000;
    assert.equal(
      during.filter(({ at }) => at > firstHit),
      [],
      'no session starts between the limit and its reset',
    );
    const moving = new Set(
      starts.filter(({ at }) => at >= resetAt && at <= resetAt + MOVING_MS).map((one) => one.jobId),
    );
    assert.is(moving.size, jobs.length, 'every job moves within a minute of the reset');
    assert.equal(
      statuses,
      jobs.map(() => 'complete'),
      'no job has failed',
    );
    assert.ok(refused <= jobs.length, `${refused} refused calls`);
    assert.is(kills, 5);
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
