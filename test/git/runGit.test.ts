import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runGit, removeUrlCredentials, ensureSettingsFile } from '../../src/git/runGit.ts';
import { cleanStderr, explainGitProblem } from '../../src/git/explainGitProblem.ts';
import { makeGitRepository } from '../support/gitRepository.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('scm git');

test('a run answers stdout, stderr and the exit code', async () => {
  const repository = makeGitRepository();
  assert.equal(await runGit(['rev-parse', 'HEAD'], { cwd: repository.path }), {
    stdout: `${repository.head()}\n`,
    stderr: '',
    exitCode: 0,
    cut: false,
  });
  const hash = await runGit(['hash-object', '--stdin'], {
    cwd: repository.path,
    input: 'A shop.\n',
  });
  assert.is(hash.stdout.trim(), repository.git('rev-parse', 'HEAD:README.md'));
  repository.remove();
});

test('git sees nothing of our environment: no tokens, no GIT_DIR, no configuration of the user', async () => {
  const home = mkdtempSync(join(tmpdir(), 'svc-home-'));
  writeFileSync(join(home, '.gitconfig'), '[alias]\n\tleak = !env\n[user]\n\tname = Mallory\n');
  Object.assign(process.env, {
    GITHUB_TOKEN: 'ghp_secret',
    GIT_DIR: '/somewhere/else',
    HOME: home,
  });
  const repository = makeGitRepository();
  const { stdout } = await runGit(['-c', 'alias.show-env=!env', 'show-env'], {
    cwd: repository.path,
  });
  assert.not.match(stdout, 'ghp_secret');
  assert.not.match(stdout, '/somewhere/else');
  assert.not.match(stdout, home);
  assert.match(
    (await catchRefusal(() => runGit(['leak'], { cwd: repository.path }))).message,
    "'leak' is not a git command",
  );
  repository.remove();
  rmSync(home, { recursive: true });
});

test('a failure tells what git said, without the credentials of addresses', async () => {
  const repository = makeGitRepository();
  const refusal = await catchRefusal(() =>
    runGit(['fetch', 'https://ada:s3cret@127.0.0.1:1/shop.git'], { cwd: repository.path }),
  );
  assert.is(refusal.code, 'internal');
  assert.match(refusal.message, /^git fetch failed \(exit 128\): /);
  assert.not.match(refusal.message, 's3cret');
  assert.not.match(JSON.stringify(refusal.data), 's3cret');
  assert.is(
    removeUrlCredentials('see https://ada:s3cret@host/x and ssh://git@host'),
    'see https://***@host/x and ssh://***@host',
  );
  repository.remove();
});

test('no transport is open unless the disk is asked for', async () => {
  const repository = makeGitRepository();
  for (const [address, protocol] of [
    [repository.path, 'file'],
    ['https://127.0.0.1:1/x', 'https'],
    ['ext::touch x', 'ext'],
  ]) {
    const refusal = await catchRefusal(() =>
      runGit(['ls-remote', '--', address ?? ''], { cwd: repository.path }),
    );
    assert.match(refusal.message, `transport '${protocol}' not allowed`);
  }
  const { stdout } = await runGit(['ls-remote', '--', repository.path], {
    cwd: repository.path,
    fileProtocol: true,
  });
  assert.match(stdout, 'refs/heads/main');
  repository.remove();
});

test('a repository of another user is cloned: what serves the clone obeys the settings of svc too', async () => {
  const repository = makeGitRepository();
  const into = mkdtempSync(join(tmpdir(), 'svc-clone-'));
  // As git's own tests say it, for every user.
  const env = { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };
  const args = ['clone', '--quiet', '--no-local', '--template=', '--', repository.path, into];
  await runGit(args, { fileProtocol: true, env });
  assert.is(readFileSync(join(into, 'README.md'), 'utf8'), 'A shop.\n');
  repository.remove();
  rmSync(into, { recursive: true });
});

test('the file of settings is made again where a cleanup of the temporary folder has removed it', async () => {
  const file = ensureSettingsFile();
  rmSync(dirname(file), { recursive: true });
  assert.is(ensureSettingsFile(), file);
  assert.match(readFileSync(file, 'utf8'), '[safe]\n\tdirectory = *\n');
});

test('advice of git that does not help here, and folders of svc that are gone, are not repeated', () => {
  const texts = [
    [
      "fatal: detected dubious ownership in repository at '/r'\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory /r\n",
      "fatal: detected dubious ownership in repository at '/r'\n",
    ],
    ['fatal: x\nhint: use --force\nhint: or not\n', 'fatal: x\n'],
    [
      "error: cannot lock ref\nerror: some local refs could not be updated; try running\n 'git remote prune /tmp/svc-branch-3vYMbX' to remove any old, conflicting branches\n",
      'error: cannot lock ref\n',
    ],
    [
      "fatal: '/tmp/svc-branch-3vYMbX/.git' is odd\nPlease make sure you have the correct access rights\nand the repository exists.\n",
      "fatal: 'a temporary folder of svc' is odd\n",
    ],
    [
      'error: Your local changes:\n\ta\nPlease commit your changes or stash them before you merge.\nAborting\n',
      'error: Your local changes:\n\ta\nAborting\n',
    ],
    [
      "fatal: unable to checkout working tree\nwarning: Clone succeeded, but checkout failed.\nYou can inspect what was checked out with 'git status'\nand retry with 'git restore --source=HEAD :/'\n",
      'fatal: unable to checkout working tree\n',
    ],
  ] as const;
  for (const [stderr, cleanText] of texts) assert.is(cleanStderr(stderr), cleanText);
});

test('what a person can repair is named with the cause and what to do, whatever git advises', () => {
  const causes = [
    [
      "error: cannot lock ref 'refs/heads/change': 'refs/heads/change/by-ann' exists; cannot create 'refs/heads/change'",
      'The branch change/by-ann exists, so git cannot also have a branch change. Choose another name for change.',
    ],
    [
      'fatal: could not fetch 262294a51b0b4343f9b1d1097cd6c9085f46dc7a from promisor remote',
      'git clone: the repository is a partial clone and lacks objects, which svc does not fetch. Run in it: git fetch --refetch --no-filter',
    ],
    [
      'error: unable to normalize alternate object path: /nowhere/objects',
      'The repository borrows objects from /nowhere/objects, which does not exist any more. Bring that folder back, or correct the path in objects/info/alternates of the repository.',
    ],
    [
      'fatal: remote error: upload-pack: not our ref 0000000000000000000000000000000000000000',
      'git clone: the repository has a branch or tag that is broken. `git fsck` names it: delete its file below .git.',
    ],
    [
      'fatal: remote error: upload-pack: not our ref deadbeefdeadbeefdeadbeefdeadbeefdeadbeef',
      'git clone: the repository has a branch or tag whose commit deadbeefdeadbeefdeadbeefdeadbeefdeadbeef is missing. `git fsck` names it; remove it (git update-ref -d <ref>), or fetch the commit from another copy.',
    ],
    [
      "error: invalid path '..'\nfatal: unable to checkout working tree",
      'git clone: the commit has the path "..", which git writes to no disk, since it could leave the working tree or change .git. Commit without that path.',
    ],
    [
      'fatal: unknown repository extension found:\n\tfoo',
      'git clone: the repository uses the extension foo, which this git does not know. Install a newer git for the runner.',
    ],
    [
      'error: insufficient permission for adding an object to repository database ./objects',
      'git clone may not read or write a file: error: insufficient permission for adding an object to repository database ./objects. Run the runner as the owner of the repository, or let the user of the runner read and write it (chmod, chown).',
    ],
  ] as const;
  for (const [stderr, message] of causes) {
    const problem = explainGitProblem('git clone', stderr);
    assert.is(problem?.message, message);
    assert.equal(problem?.data, { repairable: true });
  }
});

test('a failure names the command, not the folder that it ran on', async () => {
  const repository = makeGitRepository({ bare: true });
  const refusal = await catchRefusal(() =>
    runGit(['--git-dir', repository.path, '-c', 'a.b=c', 'rev-parse', '--verify', 'none']),
  );
  assert.match(refusal.message, /^git rev-parse failed \(exit 128\): /);
  repository.remove();
});

test('exit codes that are answers are no failure', async () => {
  const repository = makeGitRepository();
  const { exitCode } = await runGit(['diff', '--no-index', '--quiet', 'README.md', '/dev/null'], {
    cwd: repository.path,
    answers: [1],
  });
  assert.is(exitCode, 1);
  repository.remove();
});

test('too much output is cut when that was agreed, else an error', async () => {
  const repository = makeGitRepository({ files: { 'a.txt': 'x'.repeat(100_000) } });
  const cut = await runGit(['show', 'HEAD:a.txt'], {
    cwd: repository.path,
    cutOutput: true,
    maxBytes: 1000,
  });
  assert.equal(cut.stdout, 'x'.repeat(1000));
  assert.equal(cut.cut, true);
  const refusal = await catchRefusal(() =>
    runGit(['show', 'HEAD:a.txt'], { cwd: repository.path, maxBytes: 1000 }),
  );
  assert.is(refusal.message, 'git show printed more than 1000 bytes.');
  repository.remove();
});

test('a git that takes too long is ended, and so is one whose caller gives up', async () => {
  const repository = makeGitRepository();
  const forever = ['-c', 'alias.wait=!sleep 60', 'wait'];
  const refusal = await catchRefusal(() =>
    runGit(forever, { cwd: repository.path, timeoutMs: 50 }),
  );
  assert.match(refusal.message, 'timed out after 0.05 s');
  const abort = new AbortController();
  const run = runGit(forever, { cwd: repository.path, signal: abort.signal });
  abort.abort(new Error('enough'));
  try {
    await run;
    assert.unreachable();
  } catch (error) {
    assert.is((error as Error).message, 'enough');
  }
  repository.remove();
});

test('a missing folder is distinguished from a missing git', async () => {
  const refusal = await catchRefusal(() => runGit(['status'], { cwd: '/nonexistent/folder' }));
  assert.is(refusal.message, 'git status: the folder /nonexistent/folder does not exist.');
  const missing = await catchRefusal(() => runGit(['status'], { env: { PATH: '/nonexistent' } }));
  assert.match(missing.message, 'Install git 2.39.4');
});

test('the support repository: bare or checked out, it commits the same', () => {
  const [bare, checkedOut] = [makeGitRepository({ bare: true }), makeGitRepository()];
  const change = {
    'src/a.ts': 'export {};\n',
    link: { link: 'README.md' },
    run: { executable: '#!/bin/sh\n' },
    'README.md': null,
  };
  assert.is(bare.commit(change), checkedOut.commit(change));
  assert.is(readFileSync(join(checkedOut.path, 'src/a.ts'), 'utf8'), 'export {};\n');
  assert.is(checkedOut.git('status', '--porcelain'), '');
  bare.remove();
  checkedOut.remove();
});

test('no git of the runner fetches missing objects on its own', async () => {
  const { stdout } = await runGit(['-c', 'alias.variables=!env', 'variables']);
  assert.match(stdout, /^GIT_NO_LAZY_FETCH=1$/m);
});

test.run();
