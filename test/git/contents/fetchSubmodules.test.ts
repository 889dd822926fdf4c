import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ensureCheckout } from '../../../src/git/checkout.ts';
import { keepWork } from '../../../src/git/cleanup/keepWork.ts';
import { createDiskContents } from '../../../src/git/contents/createDiskContents.ts';
import { fetchSubmodules } from '../../../src/git/contents/fetchSubmodules.ts';
import { openRepository } from '../../../src/git/openRepository.ts';
import { KEEP_AT } from '../../support/agents/agentCheckout.ts';
import { git, type GitRepository, makeGitRepository } from '../../support/gitRepository.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('submodules of a new checkout');

const dir = mkdtempSync(join(tmpdir(), 'svc-submodules-'));
const repositories: GitRepository[] = [];
test.after(() => {
  rmSync(dir, { recursive: true, force: true });
  for (const repository of repositories) repository.remove();
});

const make = (files: Record<string, string>): GitRepository => {
  const repository = makeGitRepository({ files });
  repositories.push(repository);
  return repository;
};

/** Commits an entry for a commit of another repository, and the address of it. */
const addSubmodule = (
  to: GitRepository,
  { path, url, commit }: { path: string; url: string; commit: string },
): void => {
  const before = existsSync(join(to.path, '.gitmodules'))
    ? readFileSync(join(to.path, '.gitmodules'), 'utf8')
    : '';
  to.commit({
    '.gitmodules': `${before}[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n`,
  });
  to.git('update-index', '--add', '--cacheinfo', `160000,${commit},${path}`);
  to.git('commit', '--quiet', '-m', `add ${path}`);
};

let jobs = 0;

/** A new checkout of `shop`, with what `allowed` lists of the repositories that the forge has. */
async function checkOut(
  repos: Readonly<Record<string, GitRepository>>,
  allowed: readonly string[],
): Promise<{ absDir: string; jobDir: string; notes: string[] }> {
  const contents = createDiskContents((slug) => openRepository(repos[slug]?.path ?? ''));
  const jobDir = join(dir, `job-${jobs++}`);
  let notes: string[] = [];
  const { absDir } = await ensureCheckout({
    repoPath: repos.shop?.path ?? '',
    jobDir,
    slug: 'shop',
    baseBranch: 'main',
    async fill(checkoutDir) {
      const scratchDir = `${checkoutDir}.submodules`;
      notes = await fetchSubmodules({ checkoutDir, scratchDir, slug: 'shop', allowed, contents });
    },
  });
  return { absDir, jobDir, notes };
}

const readIn = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');

/** A shop with a library in it, which has fonts in it. */
const makeNested = () => {
  const fonts = make({ 'a.ttf': 'font\n' });
  const library = make({ answer: '42\n' });
  addSubmodule(library, { path: 'fonts', url: `file://${fonts.path}`, commit: fonts.head() });
  const shop = make({ 'README.md': 'A shop.\n' });
  addSubmodule(shop, { path: 'vendor/library', url: library.path, commit: library.head() });
  return { shop, library, fonts };
};

test('submodules that the list names are files of their recorded commits, those within them too', async () => {
  const repos = makeNested();
  repos.library.commit({ answer: '43\n' });
  const { absDir, jobDir, notes } = await checkOut(repos, ['library', 'fonts']);
  assert.is(readIn(absDir, 'vendor/library/answer'), '42\n');
  assert.is(readIn(absDir, 'vendor/library/fonts/a.ttf'), 'font\n');
  assert.equal(notes, []);
  assert.is(git(absDir, ['status', '--porcelain']), '');
  assert.not.ok(existsSync(join(absDir, 'vendor/library/.git')));
  assert.not.ok(existsSync(join(absDir, '.git/modules')));
  assert.equal(readdirSync(jobDir), ['shop']);
});

test('a checkout with submodules can be saved and removed', async () => {
  const repos = makeNested();
  const { absDir } = await checkOut(repos, ['library', 'fonts']);
  const { path } = repos.shop;
  const request = { jobId: 'shop-job', checkoutDir: absDir, at: KEEP_AT, dryRun: false };
  const result = await keepWork({
    ...request,
    repository: { path, gitDir: openRepository(path).gitDir },
  });
  assert.equal(result, { kept: [] });
});

test('one that the list does not name stays empty, and the log names it', async () => {
  const { absDir, notes } = await checkOut(makeNested(), ['library']);
  assert.is(readIn(absDir, 'vendor/library/answer'), '42\n');
  assert.not.ok(existsSync(join(absDir, 'vendor/library/fonts/a.ttf')));
  assert.is(notes.length, 1);
  assert.match(notes[0] ?? '', 'vendor/library/fonts');
});

test('a relative address counts from the folder, and from the address that the clone was made from', async () => {
  const library = make({ answer: '42\n' });
  const shop = make({});
  library.git('remote', 'add', 'origin', 'git@git.example:acme/library.git');
  shop.git('remote', 'add', 'origin', 'https://git.example/acme/shop.git');
  addSubmodule(shop, { path: 'library', url: '../library.git', commit: library.head() });
  const { absDir } = await checkOut({ shop, library }, ['library']);
  assert.is(readIn(absDir, 'library/answer'), '42\n');
});

for (const url of [
  'ext::sh -c "touch /tmp/svc-submodule-trap"',
  '--upload-pack=touch /tmp/svc-submodule-trap',
  '../../../../../../../../etc',
  'file:///etc',
  'https://169.254.169.254/latest',
])
  test(`nothing is fetched from ${url}`, async () => {
    const library = make({ answer: '42\n' });
    const shop = make({});
    addSubmodule(shop, { path: 'library', url, commit: library.head() });
    const { absDir, notes } = await checkOut({ shop, library }, ['library']);
    assert.not.ok(existsSync(join(absDir, 'library/answer')));
    assert.is(notes.length, 1);
    assert.not.ok(existsSync('/tmp/svc-submodule-trap'));
  });

test('a commit that the repository does not have stops the job with what to do, and leaves no checkout', async () => {
  const library = make({ answer: '42\n' });
  const shop = make({});
  addSubmodule(shop, { path: 'library', url: library.path, commit: '1'.repeat(40) });
  const refusal = await catchRefusal(() => checkOut({ shop, library }, ['library']));
  assert.is(refusal.code, 'invalid');
  assert.not.ok(existsSync(join(dir, `job-${jobs - 1}`, 'shop')));
});

test('submodules within submodules end at five levels', async () => {
  const library = make({ answer: '42\n' });
  addSubmodule(library, { path: 'again', url: library.path, commit: library.head() });
  for (let level = 0; level < 5; level += 1) {
    const commit = library.head();
    library.git('update-index', '--cacheinfo', `160000,${commit},again`);
    library.git('commit', '--quiet', '-m', `level ${level}`);
  }
  const shop = make({});
  addSubmodule(shop, { path: 'library', url: library.path, commit: library.head() });
  const refusal = await catchRefusal(() => checkOut({ shop, library }, ['library']));
  assert.is(refusal.code, 'too-large');
});

test.run();
