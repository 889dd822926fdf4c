import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runGit } from '../../src/git/runGit.ts';
import { removeStaleLocks } from '../../src/git/removeStaleLocks.ts';
import { isRepairable, toErrorMessage } from '../../src/base/errors/errors.ts';
import { folderWith } from '../support/intelligenceFolder.ts';

const test = suite('locks of a git that was killed');

const repository = (dir: string): string => {
  mkdirSync(dir, { recursive: true });
  execFileSync('git', ['init', '-qb', 'main', dir]);
  return dir;
};

const LOCKS = [
  'index.lock',
  'HEAD.lock',
  'config.lock',
  'shallow.lock',
  'packed-refs.lock',
  'refs/heads/main.lock',
  'refs/heads/feat/x.lock',
  'worktrees/w/index.lock',
  'modules/m/index.lock',
];

test('those in the checkouts of a job are removed, and nothing else', async () => {
  const jobDir = folderWith({});
  const checkout = repository(join(jobDir, 'shop'));
  const otherFiles = ['package.lock', 'index', 'refs/heads/locked'];
  for (const name of [...LOCKS, ...otherFiles]) {
    const file = join(checkout, '.git', name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '');
  }
  writeFileSync(join(checkout, 'yarn.lock'), 'x');
  assert.equal(
    (await removeStaleLocks(jobDir)).sort(),
    LOCKS.map((name) => join(checkout, '.git', name)).sort(),
  );
  assert.ok(existsSync(join(checkout, 'yarn.lock')));
  for (const name of otherFiles) assert.ok(existsSync(join(checkout, '.git', name)), name);
});

test('a repository of a person is never touched, whatever links an agent has made', async () => {
  const theirs = repository(folderWith({}));
  writeFileSync(join(theirs, '.git/index.lock'), '');
  mkdirSync(join(theirs, '.git/refs/heads'), { recursive: true });
  const jobDir = folderWith({});
  symlinkSync(theirs, join(jobDir, 'linked'));
  mkdirSync(join(jobDir, 'one'));
  symlinkSync(join(theirs, '.git'), join(jobDir, 'one/.git'));
  mkdirSync(join(jobDir, 'two'));
  writeFileSync(join(jobDir, 'two/.git'), `gitdir: ${join(theirs, '.git')}\n`);
  const three = repository(join(jobDir, 'three'));
  symlinkSync(join(theirs, '.git'), join(three, '.git/modules'));
  assert.equal(await removeStaleLocks(jobDir), []);
  assert.ok(existsSync(join(theirs, '.git/index.lock')));
});

test('git says by which file a repository of a person is locked, and how to go about it', async () => {
  const theirs = repository(folderWith({ a: '1' }));
  const lock = join(theirs, '.git/index.lock');
  writeFileSync(lock, '');
  const error = await runGit(['add', 'a'], { cwd: theirs }).catch((thrown: unknown) => thrown);
  assert.is(isRepairable(error), true);
  assert.is(
    toErrorMessage(error),
    `The repository is locked by another git process: ${lock} exists. Wait until that git has ended. If none is running, remove the file: rm '${lock}'`,
  );
  assert.ok(existsSync(lock));
});

test.run();
