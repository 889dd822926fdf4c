import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  readDefaultBranch,
  isMerged,
  MAX_TREE_FILE_BYTES,
  MAX_TREE_FILES,
  readCommitTree,
  resolveBranch,
} from '../../src/git/readCommitTree.ts';
import { git, makeGitRepository } from '../support/gitRepository.ts';
import { LooseObjects } from '../support/looseObjects.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('scm tree');
const LAYER = ['.svc/', '.claude/'];

const texts = (files: Map<string, Uint8Array>): Record<string, string> =>
  Object.fromEntries(
    [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('utf8')]),
  );

test('the repository layer is what the base commit holds, whatever the working tree shows', async () => {
  const repository = makeGitRepository({
    files: {
      '.svc/agents/coder.md': 'committed',
      '.claude/CLAUDE.md': 'rules',
      'src/a.ts': 'code',
    },
  });
  writeFileSync(join(repository.path, '.svc/agents/coder.md'), 'changed by an agent');
  writeFileSync(join(repository.path, '.svc/agents/evil.md'), 'new');
  repository.git('add', '.svc');
  const { commit, files } = await readCommitTree(repository.path, 'main', LAYER);
  assert.is(commit, repository.head());
  assert.equal(texts(files), { '.svc/agents/coder.md': 'committed', '.claude/CLAUDE.md': 'rules' });
  repository.remove();
});

test('bare repositories, packed objects and packed refs are read, by branch or by sha', async () => {
  const repository = makeGitRepository({ bare: true, files: { '.svc/a.md': 'one' } });
  const first = repository.head();
  repository.commit({ '.svc/a.md': 'two', '.svc/b/c.md': 'three' });
  repository.git('gc', '--quiet');
  assert.equal(texts((await readCommitTree(repository.path, 'main', ['.svc/'])).files), {
    '.svc/a.md': 'two',
    '.svc/b/c.md': 'three',
  });
  assert.equal(texts((await readCommitTree(repository.path, first, ['.svc/'])).files), {
    '.svc/a.md': 'one',
  });
  assert.equal(
    texts((await readCommitTree(repository.path, 'main', ['.svc/b/', 'nothing/'])).files),
    {
      '.svc/b/c.md': 'three',
    },
  );
  repository.remove();
});

test('a linked worktree reads the branches of its repository', async () => {
  const repository = makeGitRepository({ files: { '.svc/a.md': 'one' } });
  const linked = `${repository.path}-linked`;
  repository.git('worktree', 'add', '--quiet', '-b', 'side', linked);
  assert.equal(texts((await readCommitTree(linked, 'side', ['.svc/'])).files), {
    '.svc/a.md': 'one',
  });
  repository.remove();
});

test('symbolic links and submodules are left out', async () => {
  const repository = makeGitRepository({
    files: {
      '.svc/a.md': 'text',
      '.svc/secrets.md': { link: '/etc/passwd' },
      '.svc/run': { executable: 'x' },
    },
  });
  git(repository.path, [
    'update-index',
    '--add',
    '--cacheinfo',
    `160000,${repository.head()},.svc/module`,
  ]);
  repository.git('commit', '--quiet', '-m', 'A submodule');
  const { files } = await readCommitTree(repository.path, 'main', ['.svc/']);
  assert.equal([...files.keys()].sort(), ['.svc/a.md', '.svc/run']);
  const link = makeGitRepository({ files: { '.svc': { link: '/etc' } } });
  assert.is((await readCommitTree(link.path, 'main', ['.svc/'])).files.size, 0);
  repository.remove();
  link.remove();
});

test('a file that is too large is left out with the limit; a layer that is too large is refused', async () => {
  const big = makeGitRepository({
    files: { '.svc/big.md': 'x'.repeat(MAX_TREE_FILE_BYTES + 1), '.svc/a.md': 'small' },
  });
  const { files, leftOut } = await readCommitTree(big.path, 'main', ['.svc/']);
  assert.equal(texts(files), { '.svc/a.md': 'small' });
  assert.equal(leftOut, [
    { path: '.svc/big.md', reason: `it is larger than ${MAX_TREE_FILE_BYTES} bytes` },
  ]);
  big.remove();

  // 2,001 names for one blob, and nested folders that name one another, cost no disk.
  const many = makeGitRepository({ bare: true });
  const blob = git(many.path, ['hash-object', '-w', '--stdin'], { input: 'x' });
  const mktree = (lines: string[]) =>
    git(many.path, ['mktree'], { input: lines.map((line) => `${line}\n`).join('') });
  const resolveHead = (folder: string) =>
    many.git('commit-tree', mktree([`040000 tree ${folder}\t.svc`]), '-m', 'Many');
  const wide = resolveHead(
    mktree(Array.from({ length: MAX_TREE_FILES + 1 }, (_, n) => `100644 blob ${blob}\tf${n}`)),
  );
  assert.match(
    (await catchRefusal(() => readCommitTree(many.path, wide, ['.svc/']))).message,
    'more than 2000 files',
  );
  let bomb = mktree([]);
  for (let level = 0; level < 6; level++)
    bomb = mktree(Array.from({ length: 20 }, (_, n) => `040000 tree ${bomb}\td${n}`));
  const bombCommit = resolveHead(bomb);
  assert.match(
    (await catchRefusal(() => readCommitTree(many.path, bombCommit, ['.svc/']))).message,
    'more than 2000 files',
  );
  let deep = mktree([`100644 blob ${blob}\ta`]);
  for (let level = 0; level < 40; level++) deep = mktree([`040000 tree ${deep}\td`]);
  const deepCommit = resolveHead(deep);
  assert.match(
    (await catchRefusal(() => readCommitTree(many.path, deepCommit, ['.svc/']))).message,
    'is deeper than 32 folders',
  );
  many.remove();
});

test('a file with a name that is not safe or not text is left out, and takes no other with it', async () => {
  const repository = makeGitRepository({ bare: true });
  const objects = new LooseObjects(repository.path);
  const x = { mode: '100644', oid: objects.blob('x') };
  for (const [name, printedName, reason] of [
    ['..', '..', 'its name is not safe on disk'],
    ['.git', '.git', 'its name is not safe on disk'],
    ['.GIT', '.GIT', 'its name is not safe on disk'],
    ['a\\b', 'a\\b', 'its name contains a backslash'],
    ['caf\xe9', '"caf\\351"', 'its name is not plain text'],
    ['a\nb', '"a\\nb"', 'its name is not plain text'],
  ]) {
    const folder = objects.tree(
      new Map([
        [name ?? '', x],
        ['good.md', x],
      ]),
    );
    const root = objects.tree(new Map([['.svc', { mode: '40000', oid: folder }]]));
    const { files, leftOut } = await readCommitTree(repository.path, objects.commit(root), [
      '.svc/',
    ]);
    assert.equal(texts(files), { '.svc/good.md': 'x' }, printedName);
    const path = printedName?.startsWith('"')
      ? `".svc/${printedName.slice(1)}`
      : `.svc/${printedName}`;
    assert.equal(leftOut, [{ path, reason }]);
  }
  repository.remove();
});

test('what lies beside the layer is not read, whatever its names, modes and objects are', async () => {
  const repository = makeGitRepository({ bare: true });
  const objects = new LooseObjects(repository.path);
  const x = { mode: '100644', oid: objects.blob('x') };
  const lost = { mode: '100644', oid: '1'.repeat(40) };
  const neighbours: [name: string, entry: { mode: string; oid: string }][] = [
    ['mnt-my\\x2ddisk.mount', x],
    ['..', x],
    ['.git', x],
    ['caf\xe9', x],
    ['a\nb\tc', x],
    ['old mode', { ...x, mode: '100664' }],
    ['odd mode', { ...x, mode: '100600' }],
    ['no mode', { ...x, mode: '0' }],
    ['lost', lost],
    ['lost folder', { ...lost, mode: '40000' }],
    ['submodule', { ...lost, mode: '160000' }],
  ];
  for (const [name, entry] of [...neighbours, ['all', x] as const]) {
    const more = name === 'all' ? neighbours : [[name, entry] as const];
    const root = new Map([...more, ['.svc/a.md', x] as const, ['.mcp.json', x] as const]);
    const commit = objects.commit(objects.tree(root));
    const { files, leftOut } = await readCommitTree(
      repository.path,
      commit,
      ['.svc/', '.mcp.json'],
      ['.codex/'],
    );
    assert.equal(texts(files), { '.mcp.json': 'x', '.svc/a.md': 'x' }, name);
    assert.equal(leftOut, []);
  }
  repository.remove();
});

test('without a folder to read, nothing is listed, however large the repository is', async () => {
  const repository = makeGitRepository({ bare: true });
  const objects = new LooseObjects(repository.path);
  const x = { mode: '100644', oid: objects.blob('x') };
  let bomb = objects.tree(new Map([['f', x]]));
  for (let level = 0; level < 6; level += 1)
    bomb = objects.tree(
      new Map(Array.from({ length: 20 }, (_, n) => [`d${n}`, { mode: '40000', oid: bomb }])),
    );
  const { files } = await readCommitTree(
    repository.path,
    objects.commit(bomb),
    [],
    ['opencode.json'],
  );
  assert.is(files.size, 0);
  repository.remove();
});

test('a repository that borrows its objects from another one is read', async () => {
  const lender = makeGitRepository({ files: { '.svc/a.md': 'one' } });
  const borrower = `${lender.path}-borrower`;
  git(lender.path, ['clone', '--quiet', '--shared', lender.path, borrower]);
  assert.equal(texts((await readCommitTree(borrower, 'main', ['.svc/'])).files), {
    '.svc/a.md': 'one',
  });
  lender.remove();
});

test('branches resolve to commits; an unknown branch is distinguished from an invalid name', async () => {
  const repository = makeGitRepository();
  const main = repository.head();
  const side = repository.commit({ 'a.txt': 'a' }, { branch: 'side' });
  assert.is(await resolveBranch(repository.path, 'side'), side);
  assert.is(readDefaultBranch(repository.path), 'main');
  assert.equal(await isMerged(repository.path, 'main', 'side'), true);
  assert.equal(await isMerged(repository.path, 'side', main), false);
  const unknown = await catchRefusal(() => resolveBranch(repository.path, 'nope'));
  assert.equal(unknown.code, 'not-found');
  assert.equal(unknown.message, `${repository.path} has no branch nope.`);
  assert.is((await catchRefusal(() => resolveBranch(repository.path, '--x'))).code, 'bad-argument');
  assert.is(
    (await catchRefusal(() => resolveBranch(repository.path, '../config'))).code,
    'bad-argument',
  );
  repository.git('checkout', '--quiet', '--detach');
  assert.match(
    (await catchRefusal(() => readDefaultBranch(repository.path))).message,
    'is detached: name its defaultBranch',
  );
  repository.remove();
});

test('a path that is no repository is a mistake in the configuration; a repository of a parent folder does not count', async () => {
  const repository = makeGitRepository({ files: { 'sub/a.txt': 'a' } });
  const sub = join(repository.path, 'sub');
  const codes: [path: string, message: string][] = [
    [
      sub,
      `${sub} is not a git repository, but a folder of the repository ${repository.path}: name that one. See forges.local.repos of config.json.`,
    ],
    ['/nonexistent/x', '/nonexistent/x does not exist. See forges.local.repos of config.json.'],
    ['shop', 'shop is not an absolute path. See forges.local.repos of config.json.'],
  ];
  for (const [path, message] of codes) {
    const refusal = await catchRefusal(() => readCommitTree(path, 'main', LAYER));
    assert.equal(refusal.code, 'config-invalid');
    assert.equal(refusal.message, message);
  }
  repository.git('init', '--quiet', '--object-format=sha256', join(sub, 'new'));
  assert.match(
    (await catchRefusal(() => readCommitTree(join(sub, 'new'), 'main', LAYER))).message,
    'SHA-1 objects',
  );
  repository.remove();
});

test('folders that are only noted never fail for their size: one that is too large is an entry of its object id', async () => {
  const files = {
    'opencode.json': '{}',
    '.opencode/a.js': 'a',
    '.codex/config.toml': 'x'.repeat(MAX_TREE_FILE_BYTES + 1),
  };
  const repository = makeGitRepository({ files });
  const read = async () =>
    texts(
      (
        await readCommitTree(repository.path, 'main', LAYER, [
          '.opencode/',
          'opencode.json',
          '.codex/',
        ])
      ).files,
    );
  const before = await read();
  assert.equal(Object.keys(before), ['.opencode/a.js', 'opencode.json', '.codex/']);
  assert.match(before['.codex/'] ?? '', /^[0-9a-f]{40}$/);
  repository.commit({ '.codex/config.toml': 'y'.repeat(MAX_TREE_FILE_BYTES + 1) });
  assert.is.not((await read())['.codex/'], before['.codex/']);
  repository.remove();
});

test.run();
