import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refuseExcludedBranch } from '../../src/git/refuseExcludedBranch.ts';
import { makeGitRepository } from '../support/gitRepository.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('scm branches that exclude each other');

const repositoryWith = (...branches: string[]) => {
  const repository = makeGitRepository({ bare: true });
  for (const branch of branches) repository.git('branch', branch, 'main');
  return repository;
};

for (const [existing, newBranch, free] of [
  ['change/by-ann', 'change', 'change-2'],
  ['change', 'change/by-bob', 'change-by-bob'],
  ['a/b', 'a/b/c/d', 'a-b-c-d'],
] as const)
  test(`${newBranch} is refused beside ${existing}, and a free name is suggested`, async () => {
    const repository = repositoryWith(existing);
    const refusal = await catchRefusal(() => refuseExcludedBranch(repository.path, newBranch));
    assert.is(refusal.code, 'conflict');
    assert.is(
      refusal.message,
      `The branch ${existing} exists, so ${newBranch} cannot exist beside it: git keeps a branch as a file, and what is before a slash as a folder. Choose another name, such as ${free} (git branch -m ${free}), and call create_pr again.`,
    );
    repository.remove();
  });

test('a suggested name is free itself', async () => {
  const repository = repositoryWith('change/a', 'change-2/b', 'change-3');
  const { data } = await catchRefusal(() => refuseExcludedBranch(repository.path, 'change'));
  assert.equal(data, { existing: 'change/a', suggestion: 'change-4' });
  repository.remove();
});

test('names that only begin alike, and the branch itself, are no obstacle', async () => {
  const repository = repositoryWith('change-a', 'changes/x', 'mine');
  await refuseExcludedBranch(repository.path, 'change');
  await refuseExcludedBranch(repository.path, 'mine');
  await refuseExcludedBranch(repository.path, 'Mine');
  repository.remove();
});

test('where the disk ignores case, a twin in other letters is refused, also as a folder', async () => {
  const repository = repositoryWith('Fix', 'Feat/x');
  repository.git('config', 'core.ignoreCase', 'true');
  for (const [newBranch, existing] of [
    ['fix', 'Fix'],
    ['feat', 'Feat/x'],
    ['fix/a', 'Fix'],
  ] as const) {
    const { data } = await catchRefusal(() => refuseExcludedBranch(repository.path, newBranch));
    assert.is((data as { existing: string }).existing, existing);
  }
  repository.remove();
});

test.run();
