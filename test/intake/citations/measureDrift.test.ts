import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { measureDrift } from '../../../src/intake/knowledge.ts';
import { type GitRepository, makeGitRepository } from '../../support/gitRepository.ts';

const test = suite('how far a branch has gone since');

async function measureMoved(paths: readonly string[], change: (repo: GitRepository) => void) {
  const repo = makeGitRepository({ bare: true, files: { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n' } });
  try {
    const commit = repo.head();
    change(repo);
    return await measureDrift({ repoPath: repo.path, ref: 'main', commit, paths });
  } finally {
    repo.remove();
  }
}

test('a branch without new commits is not behind', async () => {
  const { behind } = await measureMoved(['src/a.ts'], () => undefined);
  assert.is(behind, 0);
});

test('commits are counted', async () => {
  const { behind } = await measureMoved([], (repo) => {
    repo.commit({ 'src/a.ts': '1\n' });
    repo.commit({ 'src/a.ts': '2\n' });
  });
  assert.is(behind, 2);
});

test('cited files that were changed are named', async () => {
  const { changed } = await measureMoved(['src/a.ts', 'src/b.ts'], (repo) => {
    repo.commit({ 'src/a.ts': '1\n', 'src/c.ts': 'c\n' });
  });
  assert.equal(changed, ['src/a.ts']);
});

test('a cited file that was removed is named', async () => {
  const { changed } = await measureMoved(['src/b.ts'], (repo) => {
    repo.commit({ 'src/b.ts': null });
  });
  assert.equal(changed, ['src/b.ts']);
});

test('a path is no pattern', async () => {
  const { changed } = await measureMoved(['src/*'], (repo) => {
    repo.commit({ 'src/a.ts': '1\n' });
  });
  assert.equal(changed, []);
});

test.run();
