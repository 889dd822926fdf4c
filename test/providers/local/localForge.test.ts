import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ForgeActor, ForgeOperations } from '../../../src/contract/forge/forge.ts';
import { createLocalForge } from '../../../src/providers/local/forge.ts';
import { MAX_DIFF_BYTES } from '../../../src/providers/local/inspectLocalPr.ts';
import { ForgeRows } from '../../support/forges/forgeRows.ts';
import { git, type GitRepository, makeGitRepository } from '../../support/gitRepository.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm local forge');
const AT = Date.UTC(2026, 0, 2, 10, 0, 0);
const TIME = '2026-01-02T10:00:00.000Z';

let operations = 0;
const by = (author: string, operationId = `op-${++operations}`, at = AT): ForgeActor => ({
  author,
  at,
  operationId,
});

const openForge = (repository: GitRepository, rows = new ForgeRows()) => ({
  rows,
  forge: createLocalForge({
    mayAct: mayAlwaysAct,
    repos: { shop: { path: repository.path, defaultBranch: null } },
    rows,
    webUrl: (repo, number) => `http://127.0.0.1:4400/${repo}/${number}`,
  }),
});

const creation = (
  more: Partial<ForgeOperations['create_pr']> = {},
): ForgeOperations['create_pr'] => ({
  repo: 'shop',
  head: 'feature',
  base: '',
  title: 'Add a feature',
  body: 'It was missing.',
  checkoutDir: '',
  workItem: null,
  ...more,
});

/** A bare repository with a branch `feature` that adds a file. */
const shop = (bare = true): GitRepository => {
  const repository = makeGitRepository({
    bare,
    files: { 'README.md': 'A shop.\n', 'list.txt': '1\n2\n3\n4\n5\n6\n7\n8\n9\n' },
  });
  repository.commit({ 'feature.txt': 'new\n' }, { branch: 'feature' });
  return repository;
};

test('create_pr brings the branch of the checkout to the forge and opens a pull request (TOOL-6)', async () => {
  const repository = makeGitRepository({ bare: true });
  const { forge, rows } = openForge(repository);
  const checkoutDir = `${repository.path}-checkout`;
  git('/', ['clone', '--quiet', repository.path, checkoutDir]);
  git(checkoutDir, ['switch', '--quiet', '-c', 'feature']);
  writeFileSync(join(checkoutDir, 'feature.txt'), 'new\n');
  git(checkoutDir, ['add', '.']);
  git(checkoutDir, ['commit', '--quiet', '-m', 'A feature']);

  const actor = by('svc:job-1');
  const change = await forge.write('create_pr', creation({ checkoutDir, workItem: 'w1' }), actor);
  assert.is(repository.head('feature'), git(checkoutDir, ['rev-parse', 'HEAD']));
  assert.equal(change.pr, {
    prId: 'local:shop#1',
    forge: 'local',
    repo: 'shop',
    number: 1,
    title: 'Add a feature',
    head: 'feature',
    base: 'main',
    url: 'http://127.0.0.1:4400/shop/1',
    state: 'open',
    workItem: 'w1',
    mergedAt: null,
  });
  assert.equal(change.result, {
    prId: 'local:shop#1',
    number: 1,
    url: 'http://127.0.0.1:4400/shop/1',
    state: 'open',
    head: 'feature',
    base: 'main',
    existing: false,
  });
  assert.equal(change.events, []);
  assert.equal(rows.tables.forge_prs, [], 'the forge itself stores nothing');
  rows.commit(change);
  assert.equal(await forge.pullRequest('shop', 1), {
    ...change.pr,
    body: 'It was missing.',
    author: 'svc:job-1',
    approvals: [],
    mergeable: true,
    comments: 0,
    createdAt: TIME,
    thread: [],
    checks: [],
    reviewThreads: [],
    headCommit: repository.git('rev-parse', 'feature').trim(),
    headApprovals: [],
    changesRequested: [],
    checksState: { state: 'none', reason: '' },
    requiredChecks: { state: 'none', reason: '' },
    mergeState: { word: 'clean', clean: true },
  });
  rmSync(checkoutDir, { recursive: true });
  repository.remove();
});

test('a second create_pr for the same branches takes new commits along and answers the first pull request', async () => {
  const repository = makeGitRepository({ bare: true });
  const { forge, rows } = openForge(repository);
  const checkoutDir = `${repository.path}-checkout`;
  git('/', ['clone', '--quiet', repository.path, checkoutDir]);
  git(checkoutDir, ['switch', '--quiet', '-c', 'feature']);
  git(checkoutDir, ['commit', '--quiet', '--allow-empty', '-m', 'One']);
  rows.commit(await forge.write('create_pr', creation({ checkoutDir }), by('ada')));
  git(checkoutDir, ['commit', '--quiet', '--allow-empty', '-m', 'Two']);
  const again = await forge.write(
    'create_pr',
    creation({ checkoutDir, title: 'Other' }),
    by('ada'),
  );
  assert.equal(again.result.number, 1);
  assert.equal(again.result.existing, true);
  assert.equal(again.pr?.title, 'Add a feature');
  const commits = again.rows.flatMap((change) =>
    'row' in change && 'head_commit' in change.row ? [change.row.head_commit] : [],
  );
  assert.equal(commits, [repository.head('feature')], 'its newest commit is known from now on');
  assert.is(repository.git('log', '-1', '--format=%s', 'feature'), 'Two');
  rmSync(checkoutDir, { recursive: true });
  repository.remove();
});

test('an operation that was done answers as it did then and does nothing', async () => {
  const repository = shop();
  const { forge, rows } = openForge(repository);
  const steps = [
    () => forge.write('create_pr', creation(), by('ada', 'create')),
    () =>
      forge.write(
        'post_pr_comment',
        { repo: 'shop', number: 1, body: 'Nice' },
        by('ada', 'comment'),
      ),
    () => forge.write('approve_pr', { repo: 'shop', number: 1 }, by('bob', 'approve')),
    () => forge.write('merge_pr', { repo: 'shop', number: 1 }, by('bob', 'merge')),
  ];
  for (const step of steps) {
    const first = await step();
    rows.commit(first);
    const before = [repository.head(), structuredClone(rows.tables)];
    assert.equal(await step(), { ...first, rows: [] });
    assert.equal([repository.head(), rows.tables], before);
  }
  repository.remove();
});

test('a crash before the rows were stored: the repeat makes no second pull request, number, comment or commit', async () => {
  const repository = shop();
  const { forge, rows } = openForge(repository);
  const create = () => forge.write('create_pr', creation(), by('ada', 'create-crash'));
  const lost = await create();
  assert.equal(await create(), lost);
  // The same after a restart, when nothing is left in memory.
  const restarted = openForge(repository, rows).forge;
  const change = await restarted.write('create_pr', creation(), by('ada', 'create-crash'));
  assert.equal(change, lost);
  rows.commit(change);

  const comment = () =>
    restarted.write(
      'post_pr_comment',
      { repo: 'shop', number: 1, body: 'Nice' },
      by('ada', 'comment-crash'),
    );
  assert.equal(await comment(), await comment());

  const merge = () =>
    restarted.write('merge_pr', { repo: 'shop', number: 1 }, by('bob', 'merge-crash'));
  const merged = await merge();
  const head = repository.head();
  assert.equal(await merge(), merged);
  // Also when things have changed in between: base and head have new commits.
  repository.commit({ 'later.txt': 'x' });
  repository.commit({ 'more.txt': 'x' }, { branch: 'feature' });
  const late = await openForge(repository, rows).forge.write(
    'merge_pr',
    { repo: 'shop', number: 1 },
    by('bob', 'merge-crash'),
  );
  assert.equal(late, merged);
  assert.is(repository.head('main~1'), head);
  assert.is(repository.git('rev-list', '--merges', '--count', 'main'), '1');
  repository.remove();
});

test('two creations at once get two numbers, and one pull request for the same branches', async () => {
  const repository = shop();
  repository.commit({ 'other.txt': 'x' }, { branch: 'other' });
  const { forge, rows } = openForge(repository);
  const changes = await Promise.all([
    forge.write('create_pr', creation(), by('ada', 'first')),
    forge.write('create_pr', creation({ head: 'other' }), by('ada', 'second')),
    forge.write('create_pr', creation(), by('bob', 'third')),
  ]);
  rows.commit(...changes);
  assert.equal(
    changes.map(({ result }) => [result.number, result.existing]),
    [
      [1, false],
      [2, false],
      [1, true],
    ],
  );
  const next = await forge.write(
    'create_pr',
    creation({ head: 'other', base: 'feature' }),
    by('ada'),
  );
  assert.is(next.result.number, 3);
  assert.equal(
    (await forge.pullRequests('shop')).map(({ number, mergeable }) => [number, mergeable]),
    [
      [2, null],
      [1, null],
    ],
  );
  repository.remove();
});

test('what cannot become a pull request is refused with the reason', async () => {
  const repository = shop();
  repository.git('branch', 'same', 'main');
  const orphan = repository.git(
    'commit-tree',
    repository.git('rev-parse', 'main^{tree}'),
    '-m',
    'Alone',
  );
  repository.git('branch', 'orphan', orphan);
  const { forge } = openForge(repository);
  const refused: [args: Partial<ForgeOperations['create_pr']>, code: string, message: RegExp][] = [
    [{ head: 'main' }, 'conflict', /head and base are both main/],
    [{ head: 'same' }, 'conflict', /same has no commit that main does not have/],
    [{ head: 'orphan' }, 'conflict', /have no common commit/],
    [{ head: 'nope' }, 'bad-argument', /head nope is not a branch of shop/],
    [{ base: 'nope' }, 'bad-argument', /base nope is not a branch of shop/],
    [{ head: '--x' }, 'bad-argument', /head "--x" is not allowed: it begins with "-"/],
    [{ base: 'a..b' }, 'bad-argument', /base "a..b" is not allowed: it holds ".."/],
    [{ title: ' ' }, 'bad-argument', /title is empty/],
    [{ title: 'a\nb' }, 'bad-argument', /title has several lines/],
    [{ title: 'x'.repeat(257) }, 'bad-argument', /title has 257 characters; 256 are allowed/],
    [{ body: 'x'.repeat(65_537) }, 'bad-argument', /body has 65537 characters; 65536 are allowed/],
    [{ checkoutDir: '/nonexistent' }, 'bad-argument', /is not a checkout/],
    [
      { repo: '../shop' },
      'not-found',
      /has no repository "\.\.\/shop"\. It has shop; add one to forges\.local\.repos of config\.json/,
    ],
    [{ repo: '__proto__' }, 'not-found', /has no repository "__proto__"/],
  ];
  for (const [args, code, message] of refused) {
    const refusal = await catchRefusal(() => forge.write('create_pr', creation(args), by('ada')));
    assert.is(refusal.code, code, JSON.stringify(args));
    assert.match(refusal.message, message);
  }
  repository.remove();
});

test('create_pr never moves the default branch', async () => {
  const repository = shop();
  repository.git('branch', 'release', 'main');
  const main = repository.commit({ 'a.txt': 'a' });
  const checkoutDir = `${repository.path}-checkout`;
  git('/', ['clone', '--quiet', repository.path, checkoutDir]);
  git(checkoutDir, ['commit', '--quiet', '--allow-empty', '-m', 'Past the review']);
  const { forge } = openForge(repository);
  const change = await forge.write(
    'create_pr',
    creation({ head: 'main', base: 'release', checkoutDir }),
    by('ada'),
  );
  assert.is(change.result.existing, false);
  assert.is(repository.head(), main);
  rmSync(checkoutDir, { recursive: true });
  repository.remove();
});

test('comments, replies and approvals are reported to the watchers, each once (EVT-4)', async () => {
  const repository = shop();
  const { forge, rows } = openForge(repository);
  rows.commit(await forge.write('create_pr', creation(), by('ada')));
  const at = { repo: 'shop', number: 1 };
  const event = {
    forge: 'local',
    ...at,
    prId: 'local:shop#1',
    url: 'http://127.0.0.1:4400/shop/1',
    happenedAt: AT,
  };

  const comment = await forge.write('post_pr_comment', { ...at, body: 'Why?' }, by('bob'));
  rows.commit(comment);
  const commentId = String(comment.result.commentId);
  assert.equal(comment.result, {
    prId: 'local:shop#1',
    commentId,
    inReplyTo: null,
    url: event.url,
  });
  assert.equal(comment.events, [
    {
      ...event,
      kind: 'commented',
      author: 'bob',
      text: 'Why?',
      externalId: `local:shop#1:commented:${commentId}`,
    },
  ]);

  const reply = await forge.write(
    'reply_to_comment',
    { ...at, commentId, body: 'Because.' },
    by('ada', undefined, AT + 1000),
  );
  rows.commit(reply);
  assert.equal(await forge.comments('shop', 1), [
    { id: commentId, author: 'bob', body: 'Why?', inReplyTo: null, at: TIME },
    {
      id: String(reply.result.commentId),
      author: 'ada',
      body: 'Because.',
      inReplyTo: commentId,
      at: '2026-01-02T10:00:01.000Z',
    },
  ]);

  const approval = await forge.write('approve_pr', at, by('bob'));
  rows.commit(approval);
  assert.equal(approval.events, [
    {
      ...event,
      kind: 'approved',
      author: 'bob',
      text: '',
      externalId: 'local:shop#1:approved:bob',
    },
  ]);
  assert.equal(approval.result, {
    prId: 'local:shop#1',
    url: event.url,
    approvals: ['bob'],
    existing: false,
  });
  const again = await forge.write('approve_pr', at, by('bob'));
  assert.equal(again.rows, []);
  assert.equal(again.events, []);
  assert.equal(again.result.existing, true);
  rows.commit(await forge.write('approve_pr', at, by('eve', undefined, AT + 1000)));
  const { approvals, comments } = await forge.pullRequest('shop', 1);
  assert.equal(approvals, ['bob', 'eve']);
  assert.equal(comments, 2);
  repository.remove();
});

test('comments and approvals that cannot be are refused', async () => {
  const repository = shop();
  const { forge, rows } = openForge(repository);
  const early = await catchRefusal(() =>
    forge.write('approve_pr', { repo: 'shop', number: 1 }, by('bob')),
  );
  assert.equal(early.code, 'not-found');
  assert.equal(early.message, 'shop has no pull request #1, nor any other.');
  rows.commit(await forge.write('create_pr', creation(), by('ada')));
  const none = await catchRefusal(() =>
    forge.write('post_pr_comment', { repo: 'shop', number: 2, body: 'x' }, by('bob')),
  );
  assert.equal(none.code, 'not-found');
  assert.equal(none.message, 'shop has no pull request #2: the newest is #1.');
  const reply = await catchRefusal(() =>
    forge.write(
      'reply_to_comment',
      { repo: 'shop', number: 1, commentId: 'c1', body: 'x' },
      by('bob'),
    ),
  );
  assert.equal(reply.code, 'not-found');
  assert.equal(reply.message, 'local:shop#1 has no comment "c1". It has none.');
  const empty = await catchRefusal(() =>
    forge.write('post_pr_comment', { repo: 'shop', number: 1, body: ' \n' }, by('bob')),
  );
  assert.is(empty.code, 'bad-argument');
  rows.commit(await forge.write('merge_pr', { repo: 'shop', number: 1 }, by('bob')));
  const late = await catchRefusal(() =>
    forge.write('approve_pr', { repo: 'shop', number: 1 }, by('eve')),
  );
  assert.equal(late.code, 'conflict');
  assert.equal(late.message, 'local:shop#1 is merged: only an open pull request can be approved.');
  repository.remove();
});

test('the diff of an open pull request is what the head adds since it left the base', async () => {
  const repository = shop();
  repository.commit({ 'elsewhere.txt': 'x\n' });
  const { forge, rows } = openForge(repository);
  rows.commit(await forge.write('create_pr', creation(), by('ada')));
  const expected = [
    'diff --git a/feature.txt b/feature.txt',
    'new file mode 100644',
    'index 0000000..3e75765',
    '--- /dev/null',
    '+++ b/feature.txt',
    '@@ -0,0 +1 @@',
    '+new',
    '',
  ].join('\n');
  assert.is(await forge.diff('shop', 1), expected);
  rows.commit(await forge.write('merge_pr', { repo: 'shop', number: 1 }, by('bob')));
  repository.git('branch', '-D', 'feature');
  assert.is(
    await forge.diff('shop', 1),
    expected,
    'the same after the merge, from the merge commit',
  );
  repository.remove();
});

test('a diff that is too long ends at a line with a note', async () => {
  const repository = makeGitRepository({ bare: true });
  repository.commit({ 'big.txt': `${'x'.repeat(99)}\n`.repeat(30_000) }, { branch: 'feature' });
  const { forge, rows } = openForge(repository);
  rows.commit(await forge.write('create_pr', creation(), by('ada')));
  const diff = await forge.diff('shop', 1);
  assert.ok(diff.length < MAX_DIFF_BYTES + 300);
  const lines = diff.trimEnd().split('\n');
  assert.is(lines.at(-2), `+${'x'.repeat(99)}`);
  assert.match(
    lines.at(-1) ?? '',
    /^# The diff is longer than 2097152 bytes; the rest is left out\./,
  );
  repository.remove();
});

test('the repositories are listed, also one that cannot be read; using that one tells what is wrong', async () => {
  const repository = shop();
  const forge = createLocalForge({
    mayAct: mayAlwaysAct,
    repos: {
      shop: { path: repository.path, defaultBranch: null },
      dev: { path: repository.path, defaultBranch: 'feature' },
      gone: { path: '/nonexistent/repo', defaultBranch: null },
    },
    rows: new ForgeRows(),
    webUrl: () => '',
  });
  assert.equal(await forge.repos(), [
    { slug: 'shop', path: repository.path, defaultBranch: 'main' },
    { slug: 'dev', path: repository.path, defaultBranch: 'feature' },
    { slug: 'gone', path: '/nonexistent/repo', defaultBranch: '' },
  ]);
  const refusal = await catchRefusal(() => forge.pullRequests('gone'));
  assert.equal(refusal.code, 'config-invalid');
  assert.equal(
    refusal.message,
    '/nonexistent/repo does not exist. See forges.local.repos of config.json.',
  );
  const unknown = await catchRefusal(() => forge.diff('nope', 1));
  assert.is(
    unknown.message,
    'The local forge has no repository "nope". It has shop, dev, gone; add one to forges.local.repos of config.json.',
  );
  repository.remove();
});

test.run();
