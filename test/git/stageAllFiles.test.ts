import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { takeSnapshot } from '../../src/git/cleanup/takeSnapshot.ts';
import { readWork } from '../../src/git/readWork.ts';
import { git, type GitRepository, makeGitRepository } from '../support/gitRepository.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('files are read without a look into repositories of an agent');

const folder = mkdtempSync(join(tmpdir(), 'svc-stage-'));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** A checkout whose submodule is a repository with a changed file and a filter that leaves a trace. */
const makeTrap = (trace: string): GitRepository => {
  const checkout = makeGitRepository({ files: { 'a.txt': 'one' } });
  const inner = join(checkout.path, 'vendor');
  mkdirSync(inner);
  git(inner, ['init', '--quiet']);
  writeFileSync(join(inner, '.gitattributes'), '* filter=trap\n');
  writeFileSync(join(inner, 'data'), '1');
  git(inner, ['add', '--all']);
  git(inner, ['commit', '--quiet', '-m', 'inner']);
  checkout.git('add', 'vendor');
  checkout.git('commit', '--quiet', '-m', 'outer');
  git(inner, ['config', 'filter.trap.clean', `touch ${trace}; cat`]);
  writeFileSync(join(inner, 'data'), 'changed');
  return checkout;
};

test('a filter that a nested repository configures does not run when work is read', async () => {
  const trace = join(folder, 'read');
  const checkout = makeTrap(trace);
  const before = await readWork(checkout.path, null);
  writeFileSync(join(checkout.path, 'a.txt'), 'two');
  const after = await readWork(checkout.path, null);
  assert.not.ok(existsSync(trace));
  assert.is.not(before?.hash, undefined);
  assert.is.not(after?.hash, before?.hash);
  checkout.remove();
});

test('nor when work is saved, which is refused because of the repository', async () => {
  const trace = join(folder, 'save');
  const checkout = makeTrap(trace);
  const refusal = await catchRefusal(() =>
    takeSnapshot({
      checkoutDir: checkout.path,
      gitDir: join(checkout.path, '.git'),
      head: checkout.head(),
      at: 0,
      message: 'work',
    }),
  );
  assert.is(refusal.code, 'conflict');
  assert.not.ok(existsSync(trace));
  checkout.remove();
});

test.run();
