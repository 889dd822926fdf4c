import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BitbucketStage, REPO } from '../../support/forges/bitbucketStage.ts';
import type { FakePr } from '../../support/forges/fakeBitbucket/state.ts';

const test = suite('scm bitbucket: reading');

const on = (run: (stage: BitbucketStage, pr: FakePr) => Promise<void>) => async () => {
  const stage = await BitbucketStage.open();
  try {
    await run(stage, stage.opened());
  } finally {
    await stage.end();
  }
};

const inline = { path: 'feature.txt', from: null, to: 1, outdated: false };

test(
  'comments with their threads, resolved or not, builds of the newest commit and who has approved',
  on(async ({ forge, bitbucket: { state }, repo }, pr) => {
    let now = Date.UTC(2026, 0, 1);
    const later = (): number => {
      now += 1000;
      return now;
    };
    const say = (author: string, raw: string, more: object = {}) =>
      state.say(pr, author, raw, { at: later(), ...more });
    const first = say('ann', 'First.');
    const why = say('ann', 'Why?', { inline, resolved: true });
    const because = say('svc-robot', 'Because.', { parent: why.id });
    const oldComment = say('ann', 'Old.', { inline: { ...inline, outdated: true } });
    const answer = say('svc-robot', 'Second.', { parent: first.id });
    say('ann', 'I take it back.', { deleted: true });
    say('ann', 'Not yet sent.', { pending: true });
    state.review(pr, 'ann', 'approved');
    state.review(pr, 'svc-robot', 'changes_requested');
    const [head, old] = [state.readHead(repo, pr), state.readCommit(repo, 'main')];
    const build = (
      key: string,
      result: 'SUCCESSFUL' | 'FAILED' | 'INPROGRESS' | 'STOPPED',
      commit = head,
    ) => pr.builds.push({ key, name: key, state: result, commit, at: later() });
    build('old', 'FAILED', old);
    build('lint', 'FAILED');
    build('lint', 'SUCCESSFUL');
    build('test', 'FAILED');
    build('deploy', 'INPROGRESS');
    build('docs', 'STOPPED');
    const detail = await forge.pullRequest(REPO, 1);
    const ids = (...all: { id: number }[]) => all.map(({ id }) => String(id));
    assert.equal(
      detail.thread.map(({ id, author, body, inReplyTo }) => [id, author, body, inReplyTo]),
      [
        [String(first.id), 'ann', 'First.', null],
        [String(why.id), 'ann', 'Why?', null],
        [String(because.id), 'svc-robot', 'Because.', String(why.id)],
        [String(oldComment.id), 'ann', 'Old.', null],
        [String(answer.id), 'svc-robot', 'Second.', String(first.id)],
      ],
    );
    assert.equal(detail.reviewThreads, [
      {
        id: String(why.id),
        path: 'feature.txt',
        line: 1,
        resolved: true,
        commentIds: ids(why, because),
      },
      {
        id: String(oldComment.id),
        path: 'feature.txt',
        line: null,
        resolved: false,
        commentIds: ids(oldComment),
      },
    ]);
    assert.equal(
      detail.checks.map(({ name, state: result }) => [name, result]),
      [
        ['lint', 'passed'],
        ['test', 'failed'],
        ['deploy', 'pending'],
        ['docs', 'neutral'],
      ],
    );
    assert.equal(detail.approvals, ['ann']);
    assert.equal(detail.changesRequested, ['svc-robot']);
    assert.equal(detail.comments, 5);
  }),
);

test(
  'a list of any length is read to its end, behind a proxy too, whose next pages Bitbucket names at its own address',
  on(async ({ forge, bitbucket: { state, seen }, repo }, pr) => {
    for (let n = 1; n <= 250; n += 1) state.say(pr, 'ann', `comment ${n}`);
    const { thread } = await forge.pullRequest(REPO, 1);
    assert.equal(thread.length, 250);
    assert.equal(new Set(thread.map(({ id }) => id)).size, 250);
    for (let n = 2; n <= 120; n += 1) repo.prs.push({ ...pr, id: n, comments: [] });
    assert.is((await forge.pullRequests(REPO)).length, 120);
    assert.is(seen.filter(({ path }) => path.endsWith('/pullrequests')).length, 3);
  }),
);

test(
  'the same list asked for again is not sent again while it stays the same',
  on(async ({ forge, bitbucket: { seen } }) => {
    await forge.pullRequests(REPO);
    await forge.pullRequests(REPO);
    assert.equal(
      seen.map(({ status }) => status),
      [200, 304],
    );
    assert.equal(forge.budget().sent, 2);
    assert.equal(forge.budget().notModified, 1);
  }),
);

test(
  'the diff is followed to where Bitbucket leads, and nowhere else: the token goes to no other server',
  on(async ({ forge, bitbucket }) => {
    assert.match(await forge.diff(REPO, 1), /\+new/);
    bitbucket.fault = ({ path }) =>
      path.endsWith('/diff')
        ? {
            status: 302,
            headers: { location: 'https://elsewhere.test/2.0/repositories/x' },
            body: '',
          }
        : null;
    try {
      await forge.diff(REPO, 1);
      assert.unreachable();
    } catch (error) {
      assert.match(String(error), /refuses pull request/);
    }
  }),
);

test(
  'where Bitbucket does not say whether it can be merged, that is not known',
  on(async ({ forge, bitbucket }) => {
    assert.is((await forge.pullRequest(REPO, 1)).mergeable, true);
    bitbucket.fault = ({ path }) => (path.endsWith('/checks') ? { status: 404, body: {} } : null);
    assert.is((await forge.pullRequest(REPO, 1)).mergeable, null);
  }),
);

test(
  'an access token has an account that is known when it has written something; git and API take it',
  on(async (stage) => {
    const { state } = stage.bitbucket;
    state.addUser('ATCTTaccess', 'shop-bot', { kind: 'access-token', workspace: 'acme' });
    const forge = stage.makeForge({ token: 'ATCTTaccess', username: '' });
    assert.is(await forge.self(), null);
    assert.match((await forge.healthcheck()).detail, /^The token cannot read its own account;/);
    assert.is((await forge.source(REPO, { fresh: true }))?.defaultBranch, 'main');
    const args = { repo: REPO, number: 1, body: 'Hello.' };
    const actor = { author: 'svc:job', at: Date.now(), operationId: 'op' };
    const { result } = await forge.write('post_pr_comment', args, actor);
    assert.is(await forge.self(), 'shop-bot');
    assert.is(
      (await forge.find('post_pr_comment', args, actor))?.result.commentId,
      result.commentId,
    );
  }),
);

test.run();
