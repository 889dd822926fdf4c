import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ClientError } from '../../src/api/client/problem.ts';
import { removeMark } from '../../src/git/marks.ts';
import type { Job } from '../../src/contract/schema/job/job.ts';
import type { Review } from '../../src/contract/schema/forge/review.ts';
import { GithubStage, REPO, TOKEN } from '../support/forges/githubStage.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { Looks } from '../support/looks.ts';
import { story, type Story } from '../support/story.ts';

const test = suite('stories: reviews by people');

const PR = `github:${REPO}#1`;

const WORKFLOW = `
initial_phase: coding
initial_status: coding
phases:
  - { name: coding, agent: agents/coder.md, status: coding, tools: [shell, await_event, scm_merge_pr, github_create_pr, github_approve_pr] }
  - { name: awaiting-merge, agent: null, status: awaiting-pr-merge }
`;

/**
 * Opens a pull request, pushes a commit whenever it is woken, merges when it hears of an approval.
 * In its first visit it tries every way to approve its own work.
 */
const CODER = `
if (kickoff.includes('approved on')) {
  const { prId } = tool('scm_merge_pr', { number: 1 });
  tool('await_event', { prId });
  process.exit(0);
}
if (git('branch', '--list', 'change') === '') git('switch', '-q', '-c', 'change');
writeFileSync('note.txt', 'visit ' + session.visit + '\\nsecond\\n');
git('add', '--all');
git('commit', '-q', '-m', 'change ' + session.visit);
const pr = tool('github_create_pr', { head: 'change', title: 'A change', body: 'Why' });
if (session.visit === 1) {
  const server = JSON.parse(readFileSync(process.env.SVC_SESSION_DIR + '/mcp.json', 'utf8'));
  const { origin } = new URL(server.url);
  const head = git('rev-parse', 'HEAD');
  const route = origin + '/jobs/' + session.jobId + '/pull-requests/' + encodeURIComponent(pr.prId) + '/';
  const post = async (path, body, headers = {}) =>
    (await fetch(route + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })).status;
  const bearer = { authorization: 'Bearer ' + server.token };
  const cli = spawnSync('svc', ['pr', 'approve', '--job', session.jobId, '--yes'], { encoding: 'utf8' });
  const review = spawnSync('svc', ['pr', 'review', '--job', session.jobId, '--verdict', 'approve', '--yes'], { encoding: 'utf8' });
  console.log('ATTEMPTS ' + JSON.stringify({
    bare: await post('approve-in-svc', { head }),
    ownToken: await post('approve-in-svc', { head }, bearer),
    review: await post('review', { head, verdict: 'approve' }),
    cli: [cli.status, /An agent cannot approve/.test(cli.stderr)],
    cliReview: [review.status, /An agent cannot review/.test(review.stderr)],
    tool: /cannot approve|not offered|unknown tool|does not belong/i.test(refused('github_approve_pr', { number: 1 })),
    merge: /no one but svc has approved/.test(refused('scm_merge_pr', { number: 1 })),
  }));
}
tool('await_event', {});
`;

const parkedAfter = (visit: number) => (job: Job) =>
  job.parked?.kind === 'event' && job.visit > visit;

const readProblem = async (ask: () => Promise<unknown>) => {
  try {
    await ask();
  } catch (error) {
    if (error instanceof ClientError) return error.problem;
    throw error;
  }
  throw new Error('it was not refused');
};

async function waitForReview(it: Story, job: string): Promise<Review> {
  const looks = new Looks();
  for (const deadline = Date.now() + PATIENCE_MS; ; await looks.pause()) {
    const [review] = await it.client.reviews(job);
    if (review && review.state !== 'queued') return review;
    if (Date.now() > deadline) throw new Error(`waited for a review: ${JSON.stringify(review)}`);
  }
}

test('a review is one item for the agent and one review at the forge, also after a kill and a lost answer; an approval in svc lets the agent merge exactly its commit, and no agent can give it (TOOL-6 RUN-4 UI-1)', async () => {
  const stage = await GithubStage.open();
  const { github } = stage;
  const config = {
    plugins: {
      installed: { github: { config: { token: TOKEN, baseUrl: github.url, pollSeconds: 1 } } },
    },
  };
  const play = story({ workflow: WORKFLOW, programs: { coder: CODER }, config }, async (it) => {
    const { client } = it;
    const job = await it.job({ repoSlug: REPO, gitProvider: 'github' });
    const first = await it.until(job, parkedAfter(0));
    const pullRequest = await client.jobPullRequest(job, PR);
    assert.equal(pullRequest.verdicts, ['comment']);
    assert.match(pullRequest.verdictsElsewhere ?? '', /svc-robot opened github:acme\/shop#1/);
    assert.match((await client.jobPullRequestDiff(job, PR)).text, /\+visit 1/);

    // The forge carries the review out, and its answer is lost with the runner.
    const wasCut = new Promise<void>((cut) => {
      github.fault = ({ method, path }) => {
        if (method !== 'POST' || !path.endsWith('/pulls/1/reviews')) return null;
        cut();
        return 'cut-after';
      };
    });
    const body = {
      head: pullRequest.headCommit,
      verdict: 'request_changes' as const,
      body: 'Not yet.',
      author: 'ann',
      comments: [
        { path: 'note.txt', line: 1, body: 'Which visit?', suggestion: 'visit one' },
        { path: 'note.txt', line: 2, body: 'Is this used?' },
        { path: 'note.txt', line: 99, body: 'There is no such line.' },
        { path: 'other.txt', line: 1, body: 'Nor such a file.' },
      ],
    };
    const once = { idempotencyKey: 'review-1' };
    const queued = await client.reviewPullRequest(job, PR, body, once);
    assert.is(queued.state, 'queued');
    assert.is(queued.agentToldOf, true);
    assert.is(queued.given.state, 'elsewhere');
    assert.match(queued.given.url ?? '', /\/acme\/shop\/pull\/1$/);
    await wasCut;
    await it.runner.kill();
    github.fault = () => null;
    await it.runner.start();
    assert.equal((await it.client.reviewPullRequest(job, PR, body, once)).id, queued.id);
    const review = await waitForReview(it, job);
    assert.is(review.state, 'partly');
    assert.equal(
      review.comments.map(({ state, reason }) => [state, reason]),
      [
        ['sent', null],
        ['sent', null],
        ['rejected', 'line 99 of note.txt after the change is not part of the diff'],
        ['rejected', 'other.txt is not among the changed files'],
      ],
    );
    const pr = github.state.pr(REPO, 1);
    assert.equal(
      pr.reviews.map(({ author, state, body: text, commit }) => [
        author,
        state,
        removeMark(text),
        commit,
      ]),
      [['svc-robot', 'COMMENTED', 'Not yet.', pullRequest.headCommit]],
    );
    assert.equal(
      pr.threads.map(({ line, comments }) => [line, removeMark(comments[0]?.body ?? '')]),
      [
        [1, 'Which visit?\n\n```suggestion\nvisit one\n```'],
        [2, 'Is this used?'],
      ],
    );

    const again = await it.until(job, parkedAfter(first.visit));
    const polls = () => github.seen.filter(({ path }) => path === '/graphql').length;
    for (const before = polls(); polls() < before + 3; )
      await new Promise((resolve) => setTimeout(resolve, 50));
    const still = await it.client.job(job);
    assert.is(still.visit, again.visit);
    assert.is(still.parked?.kind, 'event');
    const deliveries = (await it.client.journal(job)).filter(({ event }) =>
      ['job.message', 'forge.event'].includes(String(event.type)),
    );
    assert.equal(
      deliveries.map(({ event }) => [event.type, Reflect.get(event, 'author')]),
      [['job.message', 'ann']],
    );
    const { messages } = await it.client.messages(job);
    const [item] = messages;
    assert.match(
      item?.text ?? '',
      /^Review of github:acme\/shop#1 at commit [0-9a-f]{12}: changes requested\.\n\nNot yet\.\n\n1\. On `note\.txt:1`:/,
    );
    assert.match(item?.text ?? '', /4\. On `other\.txt:1`:/);

    const stale = await readProblem(() =>
      it.client.approveInSvc(job, PR, { head: pullRequest.headCommit, author: 'ann' }),
    );
    const { headCommit } = await it.client.jobPullRequest(job, PR);
    assert.equal(
      [stale.status, stale.reviewed, stale.newest],
      [409, pullRequest.headCommit, headCommit],
    );
    assert.equal((await it.client.jobPullRequest(job, PR)).svcApprovals, []);
    const approval = await it.client.approveInSvc(job, PR, { head: headCommit, author: 'ann' });
    assert.equal([approval.person, approval.current], ['ann', true]);
    const merged = await it.until(job, ({ ended }) => ended);
    assert.is(merged.escalationMessage, null);
    assert.is(merged.status, 'complete');
    assert.equal(
      pr.reviews.map(({ state }) => state),
      ['COMMENTED'],
    );
    assert.is(pr.state, 'MERGED');

    const attempts = (await it.log(job)).find((line) => line.includes('ATTEMPTS')) ?? '';
    assert.equal(JSON.parse(attempts.replace(/^.*ATTEMPTS /, '')), {
      bare: 401,
      ownToken: 403,
      review: 401,
      cli: [4, true],
      cliReview: [4, true],
      tool: true,
      merge: true,
    });
  });
  await play().finally(() => stage.end());
});

test.run();
