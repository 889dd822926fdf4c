import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ensureCheckout } from '../../../src/git/checkout.ts';
import type { ForgeOperation, ForgeOperations } from '../../../src/contract/forge.ts';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import { GithubStage, REPO } from '../../support/forges/githubStage.ts';
import { refusalOf } from '../../support/refusal.ts';

const test = suite('scm github: a repository that was renamed');

/** A pull request whose repository was renamed after svc had learned its name. */
const on =
  (run: (stage: GithubStage, pr: ReturnType<typeof openPr>) => Promise<void>) => async () => {
    const stage = await GithubStage.open();
    const { github, repo } = stage;
    github.state.commit(repo, 'feature', { 'feature.txt': 'new\n' });
    const pr = openPr(github.state, repo, {
      title: 'A feature',
      body: '',
      head: 'feature',
      base: 'main',
      author: 'ann',
    });
    github.state.rename(repo, 'acme/store');
    try {
      await run(stage, pr);
    } finally {
      await stage.end();
    }
  };

const write = <K extends ForgeOperation>(
  { forge }: GithubStage,
  operation: K,
  args: ForgeOperations[K],
  operationId = 'op',
) => forge.write(operation, args, { author: 'svc:job', at: Date.now(), operationId });
const PR = { repo: REPO, number: 1 };

test(
  'a comment, an answer, an approval and a merge under the old name are done at the new place, each once (TOOL-6)',
  on(async (stage, pr) => {
    const { result } = await write(stage, 'post_pr_comment', { ...PR, body: 'Hello.' }, 'a');
    assert.is(result.commentId, `issue-${pr.comments[0]?.id}`);
    await write(
      stage,
      'reply_to_comment',
      { ...PR, commentId: String(result.commentId), body: 'And more.' },
      'b',
    );
    assert.is(pr.comments.length, 2);
    await write(stage, 'approve_pr', PR, 'c');
    assert.equal(
      pr.reviews.map(({ state }) => state),
      ['APPROVED'],
    );
    const merged = await write(stage, 'merge_pr', PR, 'd');
    assert.equal([merged.result.mergeCommit, pr.state], [pr.mergeCommit, 'MERGED']);
  }),
);

test(
  'a write whose answer was lost is found again under the old name, so that it is not repeated',
  on(async (stage) => {
    await write(stage, 'post_pr_comment', { ...PR, body: 'Hello.' });
    const actor = { author: 'svc:job', at: Date.now(), operationId: 'op' };
    assert.ok(await stage.forge.find('post_pr_comment', { ...PR, body: 'Hello.' }, actor));
    assert.is(await stage.forge.find('merge_pr', PR, actor), null);
    await write(stage, 'merge_pr', PR);
    assert.ok(await stage.forge.find('merge_pr', PR, actor));
  }),
);

test(
  'its events are reported under the name that svc knows, and keep their ids',
  on(async (stage, pr) => {
    await write(stage, 'post_pr_comment', { ...PR, body: 'Hello.' });
    const { news } = await stage.forge.news([PR]);
    assert.equal(
      news.map(({ event }) => [event.prId, event.repo, event.externalId]),
      [['github:acme/shop#1', REPO, `github:acme/shop#1:commented:issue-${pr.comments[0]?.id}`]],
    );
  }),
);

test(
  'git fetches and pushes at the new place, and a pull request is opened there',
  on(async (stage) => {
    const dir = mkdtempSync(join(tmpdir(), 'svc-renamed-'));
    const source = await stage.forge.source(REPO, { fresh: true });
    assert.ok(source);
    const { absDir } = await ensureCheckout({
      repoPath: source.path,
      jobDir: dir,
      slug: REPO,
      baseBranch: 'main',
    });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: absDir, stdio: 'pipe' });
    git('switch', '--quiet', '-c', 'more');
    writeFileSync(join(absDir, 'more.txt'), 'more\n');
    git('add', '--all');
    git('commit', '--quiet', '-m', 'More');
    const args = {
      repo: REPO,
      head: 'more',
      base: '',
      title: 'More',
      body: '',
      checkoutDir: absDir,
      workItem: null,
    };
    const { pr } = await write(stage, 'create_pr', args);
    assert.is(pr?.number, 2);
    assert.is(
      stage.github.state.commitOf(stage.github.state.repo('acme/store'), 'more').length,
      40,
    );
    rmSync(dir, { recursive: true, force: true });
  }),
);

test(
  'a redirect to another server is not followed: the write is an error, git fails, and that server sees no request',
  on(async (stage, pr) => {
    let seen = 0;
    const trap = createServer((_req, res) => {
      seen += 1;
      res.end('{}');
    }).listen(0, '127.0.0.1');
    await once(trap, 'listening');
    const address = trap.address();
    stage.github.movesTo = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    for (const ask of [
      () => write(stage, 'post_pr_comment', { ...PR, body: 'Hello.' }),
      () => write(stage, 'merge_pr', PR),
      () => stage.forge.pullRequests(REPO),
      () => stage.forge.source(REPO, { fresh: true }),
    ]) {
      const { code, message } = await refusalOf(ask);
      assert.is(code, 'config-invalid', message);
      assert.match(message, /redirects/);
    }
    assert.equal([seen, pr.state, pr.comments.length], [0, 'OPEN', 0]);
    trap.close();
  }),
);

test.run();
