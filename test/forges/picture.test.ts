import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Forge } from '../../src/contract/forge/forge.ts';
import type { Tables } from '../../src/contract/records/tables.ts';
import { readPrPicture } from '../../src/forges/reviews/readPrPicture.ts';
import { makeGitRepository } from '../support/gitRepository.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('pictures of pull requests');

const GIF = (end: string) => `GIF89a${end}`;

/** A repository with a branch that changes a picture; reads it on a side. */
function openChangedRepository() {
  const repository = makeGitRepository();
  repository.commit({ 'a.gif': GIF('one') });
  repository.git('branch', 'feature');
  repository.commit({ 'a.gif': GIF('two') }, { branch: 'feature' });
  const head = repository.head('feature');
  const mapping = { repo: 'shop', base: 'main' } as Tables['pr_mappings'];
  const forge = {
    source: async () => ({ slug: 'shop', path: repository.path, defaultBranch: 'main' }),
  } as Partial<Forge> as Forge;
  const read = (side: 'before' | 'after', path = 'a.gif') =>
    readPrPicture({ mapping, forge }, { path, commit: head, side });
  return { repository, read };
}

test('a picture is as it was where the branches parted, and as the branch has it', async () => {
  const { repository, read } = openChangedRepository();
  repository.commit({ 'a.gif': GIF('three') });
  assert.is((await read('before')).bytes.toString(), GIF('one'));
  assert.is((await read('after')).bytes.toString(), GIF('two'));
  assert.is((await read('after')).mime, 'image/gif');
  repository.remove();
});

test('after the merge it is still what preceded it', async () => {
  const { repository, read } = openChangedRepository();
  repository.git('merge', '-q', '--no-ff', '-m', 'Merge', 'feature');
  assert.is((await read('before')).bytes.toString(), GIF('one'));
  repository.remove();
});

test('a file that is no picture, one that is not there, and a repository that is not on this disk are refused', async () => {
  const { repository, read } = openChangedRepository();
  repository.commit({ 'b.gif': 'no picture' }, { branch: 'feature' });
  assert.is((await catchRefusal(() => read('after', 'README.md'))).code, 'bad-argument');
  assert.is((await catchRefusal(() => read('after', 'none.gif'))).code, 'not-found');
  const mapping = { repo: 'shop', base: 'main' } as Tables['pr_mappings'];
  const forge = { source: async () => null } as Partial<Forge> as Forge;
  const query = { path: 'a.gif', commit: 'f'.repeat(40), side: 'after' } as const;
  assert.is((await catchRefusal(() => readPrPicture({ mapping, forge }, query))).code, 'not-found');
  repository.remove();
});

test.run();
