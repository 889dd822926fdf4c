import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import type { FakeComment, FakePr } from '../../support/forges/fakeGithub/state.ts';
import { GithubStage, REPO, TOKEN } from '../../support/forges/githubStage.ts';

const test = suite('scm github: reading');

const on = (run: (stage: GithubStage, pr: FakePr) => Promise<void>) => async () => {
  const stage = await GithubStage.open();
  const { github, repo } = stage;
  github.state.commit(repo, 'feature', { 'feature.txt': 'new\n' });
  const pr = openPr(github.state, repo, {
    title: 'A feature',
    body: '',
    head: 'feature',
    base: 'main',
    author: 'svc-robot',
  });
  try {
    await run(stage, pr);
  } finally {
    await stage.end();
  }
};

const createComment = (id: number, author: string, body: string): FakeComment => ({
  id,
  author,
  body,
  at: Date.UTC(2026, 0, 1) + id * 1000,
  visibleAt: 0,
  association: 'MEMBER',
});

test(
  'comments, reviews, threads and checks come in one request, however many of a page they are',
  on(async ({ forge, github, repo }, pr) => {
    pr.comments.push(createComment(1, 'ann', 'First.'));
    pr.reviews.push({
      ...createComment(2, 'bob', 'Not yet.'),
      state: 'CHANGES_REQUESTED',
      commit: '',
    });
    pr.threads.push({
      id: 'T1',
      path: 'feature.txt',
      line: 1,
      resolved: false,
      comments: [
        { ...createComment(3, 'bob', 'Why?'), replyTo: null },
        { ...createComment(4, 'ann', 'Because.'), replyTo: 3 },
      ],
    });
    const head = github.state.readCommit(repo, 'feature');
    pr.checks.set(head, [
      { id: 7, name: 'build', status: 'COMPLETED', conclusion: 'SUCCESS', at: 0 },
      { id: 8, name: 'test', status: 'COMPLETED', conclusion: 'FAILURE', at: 0 },
      { id: 9, name: 'deploy', status: 'IN_PROGRESS', conclusion: null, at: 0 },
    ]);
    const detail = await forge.pullRequest(REPO, 1);
    assert.is(github.seen.length, 1);
    assert.equal(
      detail.thread.map(({ id, author, body, inReplyTo }) => [id, author, body, inReplyTo]),
      [
        ['issue-1', 'ann', 'First.', null],
        ['review-2', 'bob', 'Not yet.', null],
        ['thread-3', 'bob', 'Why?', null],
        ['thread-4', 'ann', 'Because.', 'thread-3'],
      ],
    );
    assert.equal(detail.reviewThreads, [
      {
        id: 'T1',
        path: 'feature.txt',
        line: 1,
        resolved: false,
        commentIds: ['thread-3', 'thread-4'],
      },
    ]);
    assert.equal(
      detail.checks.map(({ name, state }) => [name, state]),
      [
        ['build', 'passed'],
        ['test', 'failed'],
        ['deploy', 'pending'],
      ],
    );
  }),
);

test(
  'changes are requested by those whose latest decision that is, until it is dismissed; remarks decide nothing',
  on(async ({ forge }, pr) => {
    const states = [
      ['ann', 'CHANGES_REQUESTED'],
      ['bob', 'CHANGES_REQUESTED'],
      ['cyd', 'DISMISSED'],
      ['ann', 'COMMENTED'],
      ['bob', 'APPROVED'],
    ] as const;
    for (const [n, [author, state]] of states.entries())
      pr.reviews.push({ ...createComment(n + 1, author, 'Word.'), state, commit: 'b'.repeat(40) });
    const { changesRequested, approvals } = await forge.pullRequest(REPO, 1);
    assert.equal(changesRequested, ['ann']);
    assert.equal(approvals, ['bob']);
  }),
);

test(
  'a list of any length is read to its end: 250 comments, 130 answers in one thread, 120 pull requests',
  on(async ({ forge, github, repo }, pr) => {
    for (let n = 1; n <= 250; n += 1) pr.comments.push(createComment(n, 'ann', `comment ${n}`));
    const answers = Array.from({ length: 130 }, (_, n) => ({
      ...createComment(1000 + n, 'bob', `answer ${n}`),
      replyTo: null,
    }));
    pr.threads.push({ id: 'T1', path: 'feature.txt', line: 1, resolved: false, comments: answers });
    const { thread, reviewThreads } = await forge.pullRequest(REPO, 1);
    assert.equal(thread.length, 380);
    assert.equal(reviewThreads[0]?.commentIds.length, 130);
    assert.is(new Set(thread.map(({ id }) => id)).size, 380);
    for (let n = 2; n <= 120; n += 1)
      repo.prs.push({ ...pr, number: n, comments: [], threads: [] });
    assert.is((await forge.pullRequests(REPO)).length, 120);
    assert.is(github.seen.filter(({ path }) => path.endsWith('/pulls')).length, 2);
  }),
);

test(
  'the same list asked for again costs nothing while it stays the same',
  on(async ({ forge, github }) => {
    await forge.pullRequests(REPO);
    await forge.pullRequests(REPO);
    assert.equal(
      github.seen.map(({ status, counted }) => [status, counted]),
      [
        [200, true],
        [304, false],
      ],
    );
    assert.equal(forge.budget().sent, 2);
    assert.equal(forge.budget().notModified, 1);
  }),
);

/** Every file below a folder. */
const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((file) => statSync(file).isFile());

test(
  'the mirror holds neither the token nor a branch of a job',
  on(async (stage) => {
    const source = await stage.forge.source(REPO, { fresh: true });
    assert.ok(source);
    assert.equal(
      filesIn(stage.dir).filter((file) => readFileSync(file).includes(TOKEN)),
      [],
    );
    stage.github.state.git('--git-dir', stage.repo.gitDir, 'branch', '-D', 'feature');
    await stage.forge.source(REPO, { fresh: true });
    assert.is(
      stage.github.state.git('--git-dir', source.path, 'branch', '--list', '--format=%(refname)'),
      'refs/heads/main',
    );
  }),
);

test(
  'a mirror is seen when it is complete, and not before: a job that is made meanwhile finds none, or all of it',
  on(async ({ forge }) => {
    const coming = forge.source(REPO, { fresh: true });
    let over = false;
    const looks: unknown[] = [];
    void coming.finally(() => {
      over = true;
    });
    while (!over) {
      looks.push((await forge.source(REPO, { fresh: false }))?.defaultBranch ?? null);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(
      [...new Set(looks)].filter((branch) => branch !== null && branch !== 'main'),
      [],
    );
    assert.is((await coming)?.defaultBranch, 'main');
  }),
);

test.run();
