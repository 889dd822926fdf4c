import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runAsCaller } from '../../../src/providers/account/caller.ts';
import { BitbucketStage, REPO } from '../../support/forges/bitbucketStage.ts';
import { catchRefusal } from '../../support/refusal.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';

const test = suite('scm bitbucket: the budget');

const MINUTE = 60_000;

const on = (run: (stage: BitbucketStage, clock: SimulatedClock) => Promise<void>) => async () => {
  const clock = new SimulatedClock();
  const stage = await BitbucketStage.open(clock);
  try {
    await run(stage, clock);
  } finally {
    await stage.end();
  }
};

/**
 * Polls for an hour; answers how many requests were sent, those that were answered "not modified"
 * included.
 */
async function playHour(
  stage: BitbucketStage,
  clock: SimulatedClock,
  repos: readonly string[],
  each: number,
): Promise<number> {
  const { state, seen } = stage.bitbucket;
  const first = stage.opened();
  for (const slug of repos.slice(1)) {
    const repo = state.addRepo(slug);
    state.commit(repo, 'feature', { 'feature.txt': 'new\n' });
  }
  const prs = repos.flatMap((slug) => {
    const repo = state.repo(slug);
    repo.prs = Array.from({ length: each }, (_, n) => ({
      ...first,
      id: n + 1,
      comments: [],
      builds: [],
      reviews: new Map(),
    }));
    return repo.prs.map(({ id }) => ({ repo: slug, number: id }));
  });
  clock.advance(3_600_000);
  for (let minute = 0; minute < 60; minute += 1) {
    const { news, confirmStored: delivered, problem } = await stage.forge.news(prs);
    assert.equal(news, []);
    assert.equal(problem, null);
    delivered();
    clock.advance(MINUTE);
  }
  return seen.length;
}

test(
  '80 open pull requests in one repository, asked after every minute for an hour: fewer than 500 requests, cold start and all',
  on(async (stage, clock) => {
    const requestCount = await playHour(stage, clock, [REPO], 80);
    assert.ok(requestCount < 500, String(requestCount));
    console.log(`  requests in the hour: ${requestCount}`);
  }),
);

test(
  'the same in 20 repositories: they are asked after in one list',
  on(async (stage, clock) => {
    const repos = [REPO, ...Array.from({ length: 19 }, (_, n) => `acme/part-${n}`)];
    const requestCount = await playHour(stage, clock, repos, 4);
    assert.ok(requestCount < 500, String(requestCount));
    console.log(`  requests in the hour: ${requestCount}`);
  }),
);

test(
  'when Bitbucket reports that the limit is near, the rest is reserved for the runner: jobs wait, polling continues',
  on(async (stage) => {
    stage.bitbucket.state.addUser('ATCTTaccess', 'shop-bot', {
      kind: 'access-token',
      workspace: 'acme',
    });
    stage.bitbucket.limit = 20;
    const forge = stage.makeForge({ token: 'ATCTTaccess', username: '' });
    const asJob = () =>
      runAsCaller({ jobId: 'job-1', phase: 'coding' }, () => forge.pullRequests(REPO));
    for (let n = 0; n < 17; n += 1) await asJob();
    assert.equal(
      forge.budget().limits.map(({ limit, remaining }) => [limit, remaining]),
      [[20, 2]],
    );
    const { code, message } = await catchRefusal(asJob);
    assert.is(code, 'rate-limited');
    assert.match(message, /reserved for the runner/);
    stage.bitbucket.limit = 1000;
    assert.equal(await forge.pullRequests(REPO), []);
  }),
);

test.run();
