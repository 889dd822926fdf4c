import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ensureCheckout } from '../../../src/git/checkout.ts';
import type { ForgeOperation, ForgeOperations } from '../../../src/contract/forge/forge.ts';
import { openPr } from '../../support/forges/fakeGithub/pulls.ts';
import { GithubStage, REPO } from '../../support/forges/githubStage.ts';
import { catchRefusal } from '../../support/refusal.ts';

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
    assert.equal(merged.result.mergeCommit, pr.mergeCommit);
    assert.equal(pr.state, 'MERGED');
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
      stage.github.state.readCommit(stage.github.state.repo('acme/store'), 'more').length,
      40,
    );
    rmSync(dir, { recursive: true, force: true });
  }),
);

test('a mirror from before a transfer stays in use: a push in other letters follows the redirect of git-receive-pack, and the next fetch brings what was pushed (TOOL-6)', async () => {
  const stage = await GithubStage.open();
  const { github, repo, forge } = stage;
  const source = await forge.source('Acme/SHOP', { fresh: true });
  assert.ok(source);
  assert.equal(
    github.seenGit.filter(({ status }) => status === 301),
    [],
    'letters of another case are no other name',
  );
  github.state.rename(repo, 'globex/Store');
  github.seenGit.length = 0;
  const { absDir } = await ensureCheckout({
    repoPath: source.path,
    jobDir: stage.dir,
    slug: REPO,
    baseBranch: 'main',
  });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: absDir, stdio: 'pipe' });
  git('switch', '--quiet', '-c', 'more');
  git('commit', '--quiet', '--allow-empty', '-m', 'More');
  const args = { repo: 'ACME/Shop', head: 'more', base: 'main', title: 'More', body: '' };
  const where = { checkoutDir: absDir, workItem: null };
  const { pr } = await write(stage, 'create_pr', { ...args, ...where });
  assert.is(pr?.repo, 'globex/Store');
  const redirected = github.seenGit.filter(({ status }) => status === 301);
  assert.ok(
    redirected.some(({ service, slug }) => service === 'git-receive-pack' && slug === 'ACME/Shop'),
    JSON.stringify(github.seenGit),
  );
  assert.ok(
    github.seenGit.some(
      ({ service, slug, status }) =>
        service === 'git-receive-pack' && slug === 'globex/Store' && status === 200,
    ),
  );
  await forge.source(REPO, { fresh: true });
  assert.match(github.state.git('--git-dir', source.path, 'branch', '--list'), /more/);
  await stage.end();
});

test(
  'a new repository under the old name is that one: nothing of the renamed one is touched',
  on(async (stage) => {
    await stage.forge.source(REPO, { fresh: true });
    stage.github.state.addRepo(REPO);
    stage.github.seenGit.length = 0;
    await stage.forge.source(REPO, { fresh: true });
    assert.equal(
      [...new Set(stage.github.seenGit.map(({ slug, status }) => `${slug} ${status}`))],
      ['acme/shop 401', 'acme/shop 200'],
      'git asks without its token first',
    );
  }),
);

test(
  'a redirect to another server is not followed: the write is an error, git fails, and that server sees no request',
  on(async (stage, pr) => {
    let requestCount = 0;
    const trap = createServer((_req, res) => {
      requestCount += 1;
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
      const { code, message } = await catchRefusal(ask);
      assert.is(code, 'config-invalid', message);
      assert.match(message, /redirects/);
    }
    assert.equal(requestCount, 0);
    assert.equal(pr.state, 'OPEN');
    assert.equal(pr.comments.length, 0);
    trap.close();
  }),
);

test.run();
