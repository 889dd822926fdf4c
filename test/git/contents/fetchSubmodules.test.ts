import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { ensureCheckout } from '../../../src/git/checkout.ts';
import { keepWork } from '../../../src/git/cleanup/keepWork.ts';
import { createDiskContents } from '../../../src/git/contents/createDiskContents.ts';
import { fetchSubmodules } from '../../../src/git/contents/fetchSubmodules.ts';
import { Mirrors } from '../../../src/git/mirror.ts';
import { openRepository } from '../../../src/git/openRepository.ts';
import { KEEP_AT } from '../../support/agents/agentCheckout.ts';
import { git, type GitRepository, makeGitRepository } from '../../support/gitRepository.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('submodules of a new checkout');

const dir = mkdtempSync(join(tmpdir(), 'svc-submodules-'));
const repositories: GitRepository[] = [];
/** A forge that never answers. */
const silent = createServer(() => {});
test.after(() => {
  silent.closeAllConnections();
  silent.close();
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

test('nothing is fetched from what is no address of a repository that the list names', async () => {
  const library = make({ answer: '42\n' });
  const shop = make({});
  const urls = [
    'ext::sh -c "touch /tmp/svc-submodule-trap"',
    '--upload-pack=touch /tmp/svc-submodule-trap',
    '../../../../../../../../etc',
    'file:///etc',
    'https://169.254.169.254/latest',
  ];
  for (const [n, url] of urls.entries())
    addSubmodule(shop, { path: `library-${n}`, url, commit: library.head() });
  const { absDir, notes } = await checkOut({ shop, library }, ['library']);
  assert.equal(
    urls.map((_, n) => readdirSync(join(absDir, `library-${n}`))),
    urls.map(() => []),
  );
  assert.is(notes.length, urls.length);
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

/** `count` entries for the same commit, and one address for all. */
const addSubmodules = (to: GitRepository, library: GitRepository, count: number): void => {
  const paths = Array.from({ length: count }, (_, n) => `vendor/${n}`);
  const sections = paths.map(
    (path) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${library.path}\n`,
  );
  to.commit({ '.gitmodules': sections.join('') });
  const entries = paths.flatMap((path) => ['--cacheinfo', `160000,${library.head()},${path}`]);
  to.git('update-index', '--add', ...entries);
  to.git('commit', '--quiet', '-m', 'add many');
};

test('more than a hundred submodules are refused before any is fetched', async () => {
  const library = make({ answer: '42\n' });
  const shop = make({});
  addSubmodules(shop, library, 101);
  const fetches: string[] = [];
  const disk = createDiskContents((slug) => openRepository({ shop, library }[slug]?.path ?? ''));
  const refusal = await catchRefusal(() =>
    fetchSubmodules({
      checkoutDir: shop.path,
      scratchDir: join(dir, 'scratch-count'),
      slug: 'shop',
      allowed: ['library'],
      contents: { ...disk, fetchCommit: async (slug) => void fetches.push(slug) },
    }),
  );
  assert.is(refusal.code, 'too-large');
  assert.match(refusal.message, 'at most 100');
  assert.equal(fetches, []);
});

test('files of more than 2 GiB are refused before they are written', async () => {
  const library = make({});
  library.commit({ big: '0'.repeat(4 * 1024 * 1024) });
  const big = library.git('rev-parse', 'HEAD:big').trim();
  const paths = Array.from({ length: 512 }, (_, n) => ['--cacheinfo', `100644,${big},${n}`]);
  library.git('update-index', '--add', ...paths.flat());
  library.git('commit', '--quiet', '-m', 'more of it');
  const shop = make({});
  addSubmodule(shop, { path: 'library', url: library.path, commit: library.head() });
  const refusal = await catchRefusal(() => checkOut({ shop, library }, ['library']));
  assert.is(refusal.code, 'too-large');
  assert.match(refusal.message, `at most ${2 * 1024 ** 3}`);
  assert.not.ok(existsSync(join(dir, `job-${jobs - 1}`, 'shop')));
});

test('a forge that does not answer in time stops the job with the limit, and leaves no checkout', async () => {
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/library.git`;
  const mirrors = new Mirrors({
    mayAct: mayAlwaysAct,
    dir: join(dir, 'mirrors'),
    network: () => ({ url, username: 'svc', password: 'canary-forge-password' }),
  });
  const shop = make({});
  addSubmodule(shop, { path: 'library', url, commit: '1'.repeat(40) });
  const jobDir = join(dir, 'job-late');
  const refusal = await catchRefusal(() =>
    ensureCheckout({
      repoPath: shop.path,
      jobDir,
      slug: 'shop',
      baseBranch: 'main',
      fill: async (checkoutDir) =>
        void (await fetchSubmodules({
          checkoutDir,
          scratchDir: `${checkoutDir}.submodules`,
          slug: 'shop',
          allowed: ['library'],
          contents: mirrors.contents(),
          timeoutMs: 300,
        })),
    }),
  );
  assert.is(refusal.code, 'too-large');
  assert.match(refusal.message, 'not fetched within 0.005 minutes');
  assert.not.ok(existsSync(join(jobDir, 'shop')));
});

test.run();
