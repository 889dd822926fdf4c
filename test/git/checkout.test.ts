import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ensureCheckout, pushBranch } from '../../src/git/checkout.ts';
import { git, type GitRepository, makeGitRepository } from '../support/gitRepository.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('scm checkout');

const folders: string[] = [];
const tempFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-checkout-'));
  folders.push(folder);
  return folder;
};
test.after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const jobFolder = (): string => join(tempFolder(), 'shop-job-1');

/** Commits a file in a checkout, as an agent would. */
const work = (dir: string, branch: string, file: string, text: string): string => {
  git(dir, [
    'switch',
    '--quiet',
    ...(git(dir, ['branch', '--list', branch]) ? [] : ['-c']),
    branch,
  ]);
  writeFileSync(join(dir, file), text);
  git(dir, ['add', '.']);
  git(dir, ['commit', '--quiet', '-m', `Change ${file}`]);
  return git(dir, ['rev-parse', 'HEAD']);
};

/** Puts a program into every hook of a repository that leaves a trace when it runs. */
const setTraps = (repository: GitRepository): { sprung: () => string[] } => {
  const traces = tempFolder();
  const hooks = join(repository.path, repository.bare ? 'hooks' : '.git/hooks');
  mkdirSync(hooks, { recursive: true });
  const names = [
    'pre-receive',
    'update',
    'post-receive',
    'post-update',
    'reference-transaction',
    'post-checkout',
    'pre-push',
    'post-merge',
    'pre-auto-gc',
    'post-index-change',
    'proc-receive',
    'push-to-checkout',
  ];
  for (const name of names) {
    writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${traces}/${name}\n`);
    chmodSync(join(hooks, name), 0o755);
  }
  return { sprung: () => readdirSync(traces) };
};

test('a job gets a clone of its own in its folder, on the base branch, ready for commits (RUN-3)', async () => {
  const repository = makeGitRepository({ bare: true, files: { 'README.md': 'A shop.\n' } });
  const dev = repository.commit({ 'dev.txt': 'dev' }, { branch: 'dev' });
  const jobDir = jobFolder();
  const absDir = join(jobDir, 'acme__shop');
  const request = { repoPath: repository.path, jobDir, slug: 'acme/shop', baseBranch: 'dev' };
  assert.equal(await ensureCheckout(request), { dir: 'acme__shop', absDir, baseCommit: dev });
  assert.is(git(absDir, ['rev-parse', 'HEAD']), dev);
  assert.is(git(absDir, ['branch', '--show-current']), 'dev');
  assert.is(git(absDir, ['status', '--porcelain']), '');
  assert.equal(
    ['user.name', 'user.email', 'push.default'].map((key) => git(absDir, ['config', key])),
    ['svc agent', 'agent@svc.invalid', 'current'],
  );
  assert.equal(readdirSync(jobDir), ['acme__shop']);
  repository.remove();
});

test('two jobs do not see each other, and no file is shared with the repository (RUN-3)', async () => {
  const repository = makeGitRepository();
  const [one, other] = [jobFolder(), jobFolder()];
  const request = { repoPath: repository.path, slug: 'shop', baseBranch: 'main' };
  const { absDir } = await ensureCheckout({ ...request, jobDir: one });
  const second = await ensureCheckout({ ...request, jobDir: other });
  work(absDir, 'mine', 'a.txt', 'a');
  assert.is(git(second.absDir, ['branch', '--list', 'mine']), '');
  const objects = readdirSync(join(absDir, '.git/objects'), {
    recursive: true,
    withFileTypes: true,
  }).filter((entry) => entry.isFile());
  assert.ok(objects.length > 0);
  for (const file of objects) assert.is(statSync(join(file.parentPath, file.name)).nlink, 1);
  assert.not.ok(existsSync(join(absDir, '.git/objects/info/alternates')));
  repository.remove();
});

test('a complete checkout is left as it is, also when the base has moved on', async () => {
  const repository = makeGitRepository();
  const request = {
    repoPath: repository.path,
    jobDir: jobFolder(),
    slug: 'shop',
    baseBranch: 'main',
  };
  const first = await ensureCheckout(request);
  const mine = work(first.absDir, 'mine', 'a.txt', 'a');
  writeFileSync(join(first.absDir, 'unfinished.txt'), 'x');
  repository.commit({ 'b.txt': 'b' });
  assert.equal(await ensureCheckout(request), first);
  assert.is(git(first.absDir, ['rev-parse', 'HEAD']), mine);
  assert.is(git(first.absDir, ['status', '--porcelain']), '?? unfinished.txt');
  repository.remove();
});

test('a git that outlived a killed runner and still writes does not get in the way (RUN-3 RUN-4)', async () => {
  const repository = makeGitRepository();
  const jobDir = jobFolder();
  const folder = join(jobDir, '.shop.cloning/.git/objects');
  mkdirSync(folder, { recursive: true });
  const orphan = spawn(
    'sh',
    ['-c', 'while :; do mkdir -p "$1"; touch "$1/tmp_pack"; done', 'sh', folder],
    { stdio: 'ignore' },
  );
  const exit = once(orphan, 'exit');
  try {
    const { absDir } = await ensureCheckout({
      repoPath: repository.path,
      jobDir,
      slug: 'shop',
      baseBranch: 'main',
    });
    assert.is(git(absDir, ['status', '--porcelain']), '');
  } finally {
    orphan.kill('SIGKILL');
    await exit;
    repository.remove();
  }
});

test('a checkout that a crash left incomplete is created again; two concurrent calls create one checkout', async () => {
  const repository = makeGitRepository();
  const jobDir = jobFolder();
  mkdirSync(join(jobDir, '.shop.cloning/.git'), { recursive: true });
  writeFileSync(join(jobDir, '.shop.cloning/.git/HEAD'), 'garbage');
  const request = { repoPath: repository.path, jobDir, slug: 'shop', baseBranch: 'main' };
  const [one, other] = await Promise.all([ensureCheckout(request), ensureCheckout(request)]);
  assert.equal(one, other);
  assert.equal(readdirSync(jobDir), ['shop']);
  assert.is(git(one.absDir, ['rev-parse', 'HEAD']), repository.head());
  repository.remove();
});

test('something else in the place of the checkout is never removed', async () => {
  const repository = makeGitRepository();
  const jobDir = jobFolder();
  mkdirSync(join(jobDir, 'shop'), { recursive: true });
  writeFileSync(join(jobDir, 'shop/notes.txt'), 'mine');
  const refusal = await catchRefusal(() =>
    ensureCheckout({ repoPath: repository.path, jobDir, slug: 'shop', baseBranch: 'main' }),
  );
  assert.is(refusal.code, 'conflict');
  assert.match(refusal.message, 'is in the way of the checkout of shop');
  assert.ok(existsSync(join(jobDir, 'shop/notes.txt')));
  repository.remove();
});

test('names that are options or leave the folder never reach git', async () => {
  const repository = makeGitRepository();
  const jobDir = jobFolder();
  const request = { repoPath: repository.path, jobDir, slug: 'shop', baseBranch: 'main' };
  for (const slug of ['../shop', '--upload-pack=touch x', '..', '_intelligence']) {
    assert.is(
      (await catchRefusal(() => ensureCheckout({ ...request, slug }))).code,
      'bad-argument',
      slug,
    );
  }
  for (const baseBranch of ['--x', '-f', 'a..b', '--upload-pack=x']) {
    assert.is(
      (await catchRefusal(() => ensureCheckout({ ...request, baseBranch }))).code,
      'bad-argument',
      baseBranch,
    );
  }
  const missing = await catchRefusal(() => ensureCheckout({ ...request, baseBranch: 'nope' }));
  assert.equal(missing.code, 'not-found');
  assert.match(missing.message, /has no branch nope/);
  assert.not.ok(existsSync(jobDir));
  repository.remove();
});

test('hooks of the repository never run and submodules are not fetched', async () => {
  const module = makeGitRepository({ files: { 'in.txt': 'x' } });
  const repository = makeGitRepository({
    files: { '.gitmodules': `[submodule "m"]\n\tpath = m\n\turl = ${module.path}\n` },
  });
  git(repository.path, ['update-index', '--add', '--cacheinfo', `160000,${module.head()},m`]);
  repository.git('commit', '--quiet', '-m', 'A submodule');
  const traps = setTraps(repository);
  const { absDir } = await ensureCheckout({
    repoPath: repository.path,
    jobDir: jobFolder(),
    slug: 'shop',
    baseBranch: 'main',
  });
  const mine = work(absDir, 'mine', 'a.txt', 'a');
  await pushBranch({ checkoutDir: absDir, repoPath: repository.path, branch: 'mine' });
  assert.equal(traps.sprung(), []);
  assert.equal(readdirSync(join(absDir, 'm')), []);
  assert.not.ok(existsSync(join(absDir, '.git/hooks')));
  assert.is(repository.head('mine'), mine);
  repository.remove();
  module.remove();
});

test('nothing that a checkout configures runs when its branch is brought to the forge', async () => {
  const repository = makeGitRepository({ bare: true });
  const jobDir = jobFolder();
  const { absDir } = await ensureCheckout({
    repoPath: repository.path,
    jobDir,
    slug: 'shop',
    baseBranch: 'main',
  });
  const mine = work(absDir, 'mine', 'a.txt', 'a');
  const trap = join(jobDir, 'trap.sh');
  writeFileSync(trap, `#!/bin/sh\ntouch ${jobDir}/sprung\nexec "$@"\n`);
  chmodSync(trap, 0o755);
  for (const [key, value] of [
    ['core.fsmonitor', trap],
    ['core.sshCommand', trap],
    ['core.hooksPath', jobDir],
    ['uploadpack.packObjectsHook', trap],
    ['push.gpgSign', 'true'],
    ['gpg.program', trap],
    [`remote.${repository.path}.receivepack`, trap],
    [`url.ext::${trap}.insteadOf`, repository.path],
    ['protocol.ext.allow', 'always'],
    ['core.alternateRefsCommand', trap],
  ] as const) {
    git(absDir, ['config', key, value]);
  }
  await pushBranch({ checkoutDir: absDir, repoPath: repository.path, branch: 'mine' });
  assert.is(repository.head('mine'), mine);
  assert.not.ok(existsSync(join(jobDir, 'sprung')));
  repository.remove();
});

test('a branch goes to the forge only forwards', async () => {
  const repository = makeGitRepository();
  const { absDir } = await ensureCheckout({
    repoPath: repository.path,
    jobDir: jobFolder(),
    slug: 'shop',
    baseBranch: 'main',
  });
  const push = (branch: string) =>
    pushBranch({ checkoutDir: absDir, repoPath: repository.path, branch });
  const first = work(absDir, 'mine', 'a.txt', 'a');
  await push('mine');
  assert.is(repository.head('mine'), first);
  const second = work(absDir, 'mine', 'a.txt', 'b');
  await push('mine');
  await push('mine');
  assert.is(repository.head('mine'), second);

  git(absDir, ['commit', '--quiet', '--amend', '-m', 'Rewritten']);
  const rewritten = await catchRefusal(() => push('mine'));
  assert.equal(rewritten.code, 'conflict');
  assert.ok(rewritten.message.includes('git pull --rebase origin mine'));
  assert.is(repository.head('mine'), second);

  const unknown = await catchRefusal(() => push('nope'));
  assert.equal(unknown.code, 'bad-argument');
  assert.ok(unknown.message.startsWith('branch nope does not exist in'));
  assert.is((await catchRefusal(() => push('--x'))).code, 'bad-argument');
  work(absDir, 'main', 'c.txt', 'c');
  const checkedOut = await catchRefusal(() => push('main'));
  assert.equal(checkedOut.code, 'conflict');
  assert.ok(checkedOut.message.includes('is checked out in'));
  rmSync(absDir, { recursive: true });
  assert.is((await catchRefusal(() => push('mine'))).code, 'bad-argument');
  repository.remove();
});

const PARTIAL: [key: string, value: string][] = [
  ['remote.evil.promisor', 'true'],
  ['extensions.partialClone', 'evil'],
  ['remote.evil.partialclonefilter', 'blob:none'],
];

test('nothing is taken from a checkout that calls itself a partial clone, and the refusal says what to remove', async () => {
  const repository = makeGitRepository({ bare: true });
  const request = {
    repoPath: repository.path,
    jobDir: jobFolder(),
    slug: 'shop',
    baseBranch: 'main',
  };
  const { absDir } = await ensureCheckout(request);
  work(absDir, 'work', 'a.txt', 'a');
  const push = () => pushBranch({ checkoutDir: absDir, repoPath: repository.path, branch: 'work' });
  for (const [key, value] of PARTIAL) {
    git(absDir, ['config', key, value]);
    const { code, message } = await catchRefusal(push);
    assert.is(code, 'bad-argument', key);
    assert.match(message, 'config declares a partial clone');
    git(absDir, ['config', '--unset-all', key]);
  }
  writeFileSync(join(absDir, '.git', 'config'), '[remote "x"] promisor = true\n');
  assert.match((await catchRefusal(push)).message, 'declares a partial clone');
  writeFileSync(join(absDir, '.git', 'config'), '[core]\n\trepositoryformatversion = 0\n');
  await push();
  repository.remove();
});

test.run();
