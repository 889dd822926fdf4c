import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readBranchDiff } from '../../src/git/readBranchDiff.ts';
import { git, makeGitRepository } from '../support/gitRepository.ts';

const repository = makeGitRepository();
repository.commit({ 'a.txt': 'one\n', 'old.bin': '\0\x01\x02' });
const base = git(repository.path, ['branch', '--show-current']).trim();

let n = 0;
const bringing = (files: Record<string, string>) => {
  n += 1;
  repository.commit(files, { branch: `b${n}`, from: base });
  return readBranchDiff({
    checkoutDir: repository.path,
    branch: `b${n}`,
    base,
    repoPath: repository.path,
  });
};

test('one long line counts by its bytes', async () => {
  const { lines, bytes } = await bringing({ 'long.txt': 'x'.repeat(3_000_000) });
  assert.is(lines, 1);
  assert.ok(bytes >= 3_000_000 && bytes < 3_001_000, String(bytes));
});

test('a binary file has no lines, and counts whole, old and new', async () => {
  const { lines, bytes } = await bringing({ 'old.bin': '\0'.repeat(100_000) });
  assert.is(lines, 0);
  assert.ok(bytes >= 100_003 && bytes < 101_000, String(bytes));
});

test('a small change of a text counts little', async () => {
  const { bytes } = await bringing({ 'a.txt': 'two\n' });
  assert.ok(bytes < 300, String(bytes));
});

test('a path with a tab is not cut, and shows it as an escape', async () => {
  assert.equal((await bringing({ 'a\tb': 'x' })).paths, ['a\\tb']);
});

test.after(() => repository.remove());

test.run();
