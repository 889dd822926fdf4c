import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pushBranch } from '../../src/git/checkout.ts';
import { git, makeGitRepository } from '../support/gitRepository.ts';
import { LooseObjects } from '../support/looseObjects.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('scm objects that are fetched are checked');

/** Brings a branch with one commit of these bytes from a checkout to its repository. */
async function pushObjects(
  bytes: (objects: LooseObjects, parent: string) => string,
): Promise<void> {
  const repository = makeGitRepository({ bare: true });
  const checkoutDir = `${repository.path}-checkout`;
  git(repository.path, ['clone', '--quiet', repository.path, checkoutDir]);
  const objects = new LooseObjects(`${checkoutDir}/.git`);
  const commit = bytes(objects, repository.head());
  git(checkoutDir, ['update-ref', 'refs/heads/work', commit]);
  try {
    await pushBranch({ checkoutDir, repoPath: repository.path, branch: 'work' });
    assert.is(repository.head('work'), commit);
  } finally {
    repository.remove();
  }
}

const commitWith =
  (author: string) =>
  (objects: LooseObjects, parent: string): string =>
    objects.write(
      'commit',
      Buffer.from(
        `tree ${objects.tree(new Map([['a', { mode: '100644', oid: objects.blob('a') }]]))}\nparent ${parent}\nauthor ${author}\ncommitter Ada <ada@example.test> 1 +0000\n\nOld\n`,
      ),
    );

test('odd times, author lines and modes of old commits are taken', async () => {
  for (const author of [
    'Ada <ada@example.test> 1 +051800',
    'Ada <ada@example.test>1 +0000',
    'Ada<ada@example.test> 1 +0000',
    '<ada@example.test> 1 +0000',
    'Ada <ada@example.test> 01 +0000',
    'Ada <ada> <x> 1 +0000',
  ])
    await pushObjects(commitWith(author));
  await pushObjects((objects, parent) => {
    const folder = objects.tree(new Map([['a', { mode: '100644', oid: objects.blob('a') }]]));
    const entry = Buffer.concat([Buffer.from('040000 d\0'), Buffer.from(folder, 'hex')]);
    return objects.commit(objects.write('tree', entry), parent);
  });
});

test('names that are dangerous on disk are refused', async () => {
  for (const name of ['..', '.git']) {
    const refusal = await catchRefusal(() =>
      pushObjects((objects, parent) =>
        objects.commit(
          objects.tree(new Map([[name, { mode: '100644', oid: objects.blob('a') }]])),
          parent,
        ),
      ),
    );
    assert.match(refusal.message, name === '..' ? 'hasDotdot' : 'hasDotgit');
  }
});

test.run();
