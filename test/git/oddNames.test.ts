import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readBranchDiff } from '../../src/git/readBranchDiff.ts';
import { readBlobs } from '../../src/git/readBlobs.ts';
import { readCommitFile } from '../../src/git/readCommitFile.ts';
import { readRepository } from '../../src/git/readRepository.ts';
import { openRepository } from '../../src/git/openRepository.ts';
import { git, makeGitRepository } from '../support/gitRepository.ts';
import { LooseObjects } from '../support/looseObjects.ts';

const test = suite('scm names in any bytes');

const repository = makeGitRepository({ bare: true });
const objects = new LooseObjects(repository.path);
const file = (text: string) => ({ mode: '100644', oid: objects.blob(text) });
const NAMES = ['a.txt', 'caf\xe9', 'caf\xe8', 'new\nline', 'tab\t', '-x', ':(top)y', 'd\xe9/in\n'];
const commit = objects.commit(
  objects.tree(new Map(NAMES.map((name) => [name, file(`needle in ${name.length}`)]))),
  repository.head(),
);
repository.git('update-ref', 'refs/heads/main', commit);
const repo = { slug: 'shop', path: repository.path, defaultBranch: 'main' };
test.after(() => repository.remove());

test('lists and searches show each name so that it can be read with what is shown', async () => {
  const { files } = await readRepository(repo, 'list_files', { path: '', ref: '' });
  assert.equal(files, [
    '-x',
    ':(top)y',
    'a.txt',
    '"caf\\350"',
    '"caf\\351"',
    '"d\\351/in\\n"',
    '"new\\nline"',
    '"tab\\t"',
  ]);
  const { found } = await readRepository(repo, 'search_code', {
    text: 'needle',
    path: '',
    ref: '',
  });
  const paths = (found as { path: string; line: number }[]).map(({ path }) => path);
  assert.equal(paths, files);
  for (const path of paths) {
    const { text } = await readRepository(repo, 'read_file', { path, ref: '' });
    assert.match(String(text), 'needle');
  }
});

test('a folder with such a name is listed and searched', async () => {
  const path = '"d\\351"';
  const quotedPath = '"d\\351/in\\n"';
  assert.equal((await readRepository(repo, 'list_files', { path, ref: '' })).files, [quotedPath]);
  const { found } = await readRepository(repo, 'search_code', { text: 'needle', path, ref: '' });
  assert.equal(found, [{ path: quotedPath, line: 1, text: 'needle in 6' }]);
});

test('files are read by the same names, and a missing one takes no other with it', async () => {
  const names = ['"gone\\n"', '"new\\nline"', 'a.txt'].map((path) => `${commit}:${path}`);
  const blobs = await readBlobs(repository.path, names);
  assert.equal(
    names.map((name) => blobs.get(name)?.text ?? null),
    [null, 'needle in 8', 'needle in 5'],
  );
  const read = (path: string) =>
    readCommitFile(openRepository(repository.path), { commit, path, maxBytes: 100 });
  assert.is(String(await read('"caf\\351"')), 'needle in 4');
  assert.is(await read('"caf\\352"'), null);
});

test('rules see where a changed file is, whatever its name', async () => {
  const checkout = `${repository.path}-checkout`;
  git(repository.path, ['clone', '--quiet', '--no-checkout', repository.path, checkout]);
  const own = new LooseObjects(`${checkout}/.git`);
  const yml = { mode: '100644', oid: own.blob('on: push\n') };
  const tree = own.tree(new Map([['.github/workflows/\xe9\n.yml', yml]]));
  git(checkout, ['update-ref', 'refs/heads/work', own.commit(tree, commit)]);
  for (const setting of ['diff.noprefix', 'diff.mnemonicPrefix'])
    git(checkout, ['config', setting, 'true']);
  const diff = await readBranchDiff({
    checkoutDir: checkout,
    branch: 'work',
    base: 'main',
    repoPath: repository.path,
  });
  const path = '.github/workflows/\\351\\n.yml';
  assert.ok(diff.paths.includes(path), diff.paths.join(' '));
  assert.equal(
    diff.added.filter((one) => one.path === path),
    [{ path, text: 'on: push' }],
  );
});

test.run();
