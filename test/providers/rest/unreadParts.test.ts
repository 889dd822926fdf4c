import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PrPart } from '../../../src/contract/schema/forge/prDetail.ts';
import type { RemoteForge } from '../../../src/contract/forge/remoteForge.ts';
import { explainMergeProblem } from '../../../src/providers/mergeGuard.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { BitbucketStage, REPO as BITBUCKET_REPO } from '../../support/forges/bitbucketStage.ts';
import { changedAnswers } from '../../support/forges/changedAnswers.ts';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import { openMr } from '../../support/forges/fakeGitlab/mergeRequests.ts';
import { GithubStage, REPO as GITHUB_REPO } from '../../support/forges/githubStage.ts';
import { GitlabStage, REPO as GITLAB_REPO } from '../../support/forges/gitlabStage.ts';
import { longLane } from '../../support/longLane.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('a list that cannot be read leaves the rest of its pull request');

/** Approved in svc, so that only what is missing keeps an agent from merging. */
const APPROVED = { isApproved: true, requested: [], approvedSince: [] };

/** What was read of a pull request one list of which was broken. */
async function check(forge: RemoteForge, repo: string, parts: readonly PrPart[]) {
  const detail = await forge.pullRequest(repo, 1);
  assert.is(detail.state, 'open');
  assert.equal(
    [...new Set((detail.unread ?? []).flatMap((one) => one.parts))].toSorted(),
    parts.toSorted(),
  );
  const isDecided = parts.includes('reviews') || parts.includes('threads');
  const problem = explainMergeProblem(
    {
      ...detail,
      headCommit: 'c'.repeat(40),
      changesRequested: [],
      requiredChecks: { state: 'green', reason: '' },
    },
    () => false,
    APPROVED,
  );
  assert.is(problem !== null, isDecided, 'what decides about a merge waits for what is missing');
  const batch = await forge.news([{ repo, number: 1 }]);
  assert.is(batch.problem, null);
  assert.equal(
    batch.hindered?.map(({ number, asks, isOpen }) => [number, asks, isOpen]),
    [[1, false, true]],
  );
  batch.confirmStored();
  const again = await forge.news([{ repo, number: 1 }]);
  assert.is(again.hindered?.length, 1, 'it is read again with the next poll');
}

const FILES = { 'feature.txt': 'new\n' };
const PR = { title: 'A', body: '', head: 'feature', base: 'main', author: 'svc-robot' };

const LISTS: readonly [list: string, parts: readonly PrPart[]][] = [
  ['comments', ['comments']],
  ['reviews', ['reviews']],
  ['reviewThreads', ['threads']],
  ['commits', ['checks']],
];
for (const [list, parts] of LISTS) {
  const github = (title: string, broken: (pr: Record<string, unknown>) => unknown) =>
    test(`GitHub: ${list} ${title}`, async () => {
      const stage = await GithubStage.open(new SimulatedClock());
      try {
        stage.github.state.commit(stage.repo, 'feature', FILES);
        openPr(stage.github.state, stage.repo, PR);
        const fetch = changedAnswers((_asked, body) => {
          const pr = Object(body).data?.repository?.pullRequest;
          return pr && list in pr ? (broken(pr) ?? body) : undefined;
        });
        await check(stage.makeForge({ fetch }), GITHUB_REPO, parts);
      } finally {
        await stage.end();
      }
    });
  github('is no list', (pr) => void Object.assign(pr, { [list]: 'none' }));
  github('fails, and with it the whole answer', () => ({
    data: { repository: { nameWithOwner: GITHUB_REPO, pullRequest: null } },
    errors: [{ message: 'Something went wrong', path: ['repository', 'pullRequest', list] }],
  }));
}

type Fault = { status: number; body?: string; isCut?: boolean };
const FAULTS: readonly [title: string, fault: Fault][] = [
  ['is no list', { status: 200, body: '{"message":"none"}' }],
  ['is no JSON', { status: 200, body: '<html>Login</html>' }],
  ['fails', { status: 500 }],
  ['breaks off', { status: 200, body: '[', isCut: true }],
];
const cutBody = (text: string): ReadableStream =>
  new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(text)),
    pull: (controller) => controller.error(new TypeError('terminated')),
  });
/** `fetch` that answers at these addresses as a server that fails. */
const failingAt =
  (pattern: RegExp, { status, body = '', isCut }: Fault): typeof globalThis.fetch =>
  async (input, init) =>
    pattern.test(String(input))
      ? new Response(isCut ? cutBody(body) : body, { status })
      : fetch(input, init);

const AT_GITLAB: readonly [list: RegExp, parts: readonly PrPart[]][] = [
  [/\/discussions/, ['comments', 'reviews', 'threads']],
];
const AT_BITBUCKET: readonly [list: RegExp, parts: readonly PrPart[]][] = [
  [/\/1\/comments/, ['comments', 'threads']],
  [/\/1\/statuses/, ['checks']],
];
for (const [title, fault] of FAULTS) {
  // A server that fails is asked again after a while, several times.
  const lane = fault.status < 500 && !fault.isCut ? test : longLane(test);
  for (const [list, parts] of AT_GITLAB)
    lane(`GitLab: ${list.source} ${title}`, async () => {
      const stage = await GitlabStage.open();
      try {
        const { state } = stage.server;
        state.commit(stage.project, 'feature', FILES);
        const { head: source, base: target, title: name, author } = PR;
        openMr(state, stage.project, { title: name, description: '', source, target, author });
        const forge = stage.makeForge({ fetch: failingAt(list, fault) });
        await check(forge, GITLAB_REPO, parts);
        const { code } = await catchRefusal(() => forge.comments(GITLAB_REPO, 1));
        assert.is(code, 'unreachable');
      } finally {
        await stage.end();
      }
    });
  for (const [list, parts] of AT_BITBUCKET)
    lane(`Bitbucket: ${list.source} ${title}`, async () => {
      const stage = await BitbucketStage.open();
      try {
        const pr = stage.opened();
        stage.bitbucket.state.say(pr, 'ann', 'Why?');
        const forge = stage.makeForge({ fetch: failingAt(list, fault) });
        await check(forge, BITBUCKET_REPO, parts);
      } finally {
        await stage.end();
      }
    });
}

test('GitLab: a status that a reviewer requested changes is a request, whatever its notes say', async () => {
  const stage = await GitlabStage.open(new SimulatedClock());
  try {
    const { state } = stage.server;
    state.commit(stage.project, 'feature', FILES);
    openMr(state, stage.project, {
      title: 'A',
      description: '',
      source: 'feature',
      target: 'main',
      author: 'svc-robot',
    });
    const user = { id: 7, username: 'ann' };
    const fetch = (reviewers: unknown[]) =>
      changedAnswers(({ path }, body) => {
        if (/\/reviewers/.test(path)) return reviewers;
        if (!/merge_requests\/1$/.test(path)) return undefined;
        return { ...Object(body), detailed_merge_status: 'requested_changes' };
      });
    const readReviewers = async (reviewers: unknown[]) =>
      (await stage.makeForge({ fetch: fetch(reviewers) }).pullRequest(GITLAB_REPO, 1))
        .changesRequested;
    assert.equal(await readReviewers([{ user, state: 'requested_changes' }]), ['ann']);
    assert.equal(await readReviewers([{ user, state: 'reviewed' }]), ['a reviewer']);
  } finally {
    await stage.end();
  }
});

test.run();
