import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLocalForge } from '../../../src/providers/local/forge.ts';
import { ForgeRows } from '../../support/forges/forgeRows.ts';
import {
  type FileContent,
  type GitRepository,
  makeGitRepository,
} from '../../support/gitRepository.ts';
import { LooseObjects, type RawEntries } from '../../support/looseObjects.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('scm local merge into a checked-out base');

const by = (operationId: string) => ({
  author: 'ada',
  at: Date.UTC(2026, 0, 2),
  operationId,
});

/** Opens a pull request of `feature` and answers what merges it. */
async function openPr(repository: GitRepository) {
  const rows = new ForgeRows();
  const forge = createLocalForge({
    mayAct: mayAlwaysAct,
    repos: { shop: { path: repository.path, defaultBranch: 'main' } },
    rows,
    webUrl: (repo, number) => `http://127.0.0.1/${repo}/${number}`,
  });
  const request = { repo: 'shop', head: 'feature', base: '', title: 'A change', body: '' };
  rows.commit(
    await forge.write('create_pr', { ...request, checkoutDir: '', workItem: null }, by('open')),
  );
  const merge = () => forge.write('merge_pr', { repo: 'shop', number: 1, head: '' }, by('merge'));
  return { forge, merge };
}

type Files = Record<string, FileContent>;

async function shop(base: Files, feature: Files, main: Files = {}) {
  const repository = makeGitRepository({ files: base });
  repository.commit(feature, { branch: 'feature' });
  if (Object.keys(main).length > 0) repository.commit(main);
  return { repository, ...(await openPr(repository)) };
}

const isClean = (repository: GitRepository): boolean =>
  repository.git('status', '--porcelain') === '';

for (const [what, main] of [
  ['unchanged', {}],
  ['moved', { 'other.txt': 'o\n' }],
] as const)
  test(`a file that became a folder is merged into a base that is ${what}, and its work tree follows`, async () => {
    const { repository, merge } = await shop(
      { conf: 'x\n' },
      { conf: null, 'conf/a': 'y\n' },
      main,
    );
    await merge();
    assert.is(readFileSync(join(repository.path, 'conf/a'), 'utf8'), 'y\n');
    assert.ok(isClean(repository));
    repository.remove();
  });

test('a folder that became a file, and a link that became a folder, are merged', async () => {
  const { repository, merge } = await shop(
    { 'd/a': 'a\n', 'd/e/b': 'b\n', link: { link: 'real' }, 'real/x': 'x\n' },
    { 'd/a': null, 'd/e/b': null, d: 'file\n', link: null, 'link/x': 'mine\n' },
    { 'other.txt': 'o\n' },
  );
  await merge();
  assert.is(readFileSync(join(repository.path, 'd'), 'utf8'), 'file\n');
  assert.is(readFileSync(join(repository.path, 'link/x'), 'utf8'), 'mine\n');
  assert.is(readFileSync(join(repository.path, 'real/x'), 'utf8'), 'x\n');
  assert.ok(isClean(repository));
  repository.remove();
});

test('untracked files in a folder that becomes a file are in the way, and are named', async () => {
  const { repository, merge } = await shop({ 'd/a': 'a\n' }, { 'd/a': null, d: 'file\n' });
  writeFileSync(join(repository.path, 'd/notes'), 'mine');
  const refusal = await catchRefusal(merge);
  assert.equal(refusal.code, 'conflict');
  assert.equal(refusal.data, { files: ['d/notes'] });
  assert.is(readFileSync(join(repository.path, 'd/notes'), 'utf8'), 'mine');
  repository.remove();
});

test('an untracked link to a folder is in the way of files of that folder, and is not followed', async () => {
  const { repository, merge } = await shop({ a: 'a\n' }, { 'lib/a': 'a\n' });
  const elsewhere = `${repository.path}-elsewhere`;
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(repository.path, 'lib'));
  const refusal = await catchRefusal(merge);
  assert.equal(refusal.data, { files: ['lib'] });
  assert.ok(lstatSync(join(repository.path, 'lib')).isSymbolicLink());
  assert.equal(readdirSync(elsewhere), []);
  repository.remove();
});

test('names in any bytes reach the work tree, and one that is in the way is shown in quotes', async () => {
  const repository = makeGitRepository();
  const objects = new LooseObjects(join(repository.path, '.git'));
  const file = (body: string) => ({ mode: '100644', oid: objects.blob(body) });
  const odd = ['caf\xe9', 'caf\xe8', 'new\nline', '-x', 'back\\slash'];
  const tree = (more: RawEntries) =>
    objects.tree(new Map([...odd.map((name) => [name, file('x')] as const), ...more]));
  const base = objects.commit(tree(new Map([['f', file('1\n2\n3\n4\n')]])), repository.head());
  const main = objects.commit(tree(new Map([['f', file('1\n2\n3\nfour\n')]])), base);
  const feature = objects.commit(
    tree(
      new Map([
        ['f', file('one\n2\n3\n4\n')],
        ['d\xe9/new\n', file('n')],
      ]),
    ),
    base,
  );
  repository.git('update-ref', 'refs/heads/feature', feature);
  repository.git('reset', '--quiet', '--hard', main);
  const { merge, forge } = await openPr(repository);
  const inTheWay = Buffer.concat([Buffer.from(`${repository.path}/d`), Buffer.from([0xe9])]);
  writeFileSync(inTheWay, 'mine');
  const refusal = await catchRefusal(merge);
  assert.equal(refusal.data, { files: ['"d\\351"'] });
  rmSync(inTheWay);
  assert.match(await forge.diff('shop', 1), '+++ "b/d\\351/new\\n"');
  await merge();
  const names = readdirSync(repository.path, { encoding: 'buffer' }).map((name) =>
    Buffer.from(name).toString('latin1'),
  );
  assert.equal(names.sort(), [...odd, '.git', 'd\xe9', 'f'].sort());
  assert.is(readFileSync(join(repository.path, 'f'), 'utf8'), 'one\n2\n3\nfour\n');
  assert.ok(isClean(repository));
  repository.git('fsck', '--no-dangling');
  repository.remove();
});

test.run();
