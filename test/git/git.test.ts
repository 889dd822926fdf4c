import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runGit, withoutCredentials } from '../../src/git/git.ts';
import { makeGitRepository } from '../support/gitRepository.ts';
import { refusalOf } from '../support/refusal.ts';

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
    (await refusalOf(() => runGit(['leak'], { cwd: repository.path }))).message,
    "'leak' is not a git command",
  );
  repository.remove();
  rmSync(home, { recursive: true });
});

test('a failure tells what git said, without the credentials of addresses', async () => {
  const repository = makeGitRepository();
  const refusal = await refusalOf(() =>
    runGit(['fetch', 'https://ada:s3cret@127.0.0.1:1/shop.git'], { cwd: repository.path }),
  );
  assert.is(refusal.code, 'internal');
  assert.match(refusal.message, /^git fetch failed \(exit 128\): /);
  assert.not.match(refusal.message, 's3cret');
  assert.not.match(JSON.stringify(refusal.data), 's3cret');
  assert.is(
    withoutCredentials('see https://ada:s3cret@host/x and ssh://git@host'),
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
    const refusal = await refusalOf(() =>
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
  const refusal = await refusalOf(() =>
    runGit(['show', 'HEAD:a.txt'], { cwd: repository.path, maxBytes: 1000 }),
  );
  assert.is(refusal.message, 'git show printed more than 1000 bytes.');
  repository.remove();
});

test('a git that takes too long is ended, and so is one whose caller gives up', async () => {
  const repository = makeGitRepository();
  const forever = ['-c', 'alias.wait=!sleep 60', 'wait'];
  const refusal = await refusalOf(() => runGit(forever, { cwd: repository.path, timeoutMs: 50 }));
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
  const refusal = await refusalOf(() => runGit(['status'], { cwd: '/nonexistent/folder' }));
  assert.is(refusal.message, 'git status: the folder /nonexistent/folder does not exist.');
  const missing = await refusalOf(() => runGit(['status'], { env: { PATH: '/nonexistent' } }));
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
