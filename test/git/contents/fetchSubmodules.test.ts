import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import type { CheckoutContents } from '../../../src/contract/forge/checkoutContents.ts';
import { ensureCheckout } from '../../../src/git/checkout.ts';
import { keepWork } from '../../../src/git/cleanup/keepWork.ts';
import { createDiskContents } from '../../../src/git/contents/createDiskContents.ts';
import { fetchSubmodules } from '../../../src/git/contents/fetchSubmodules.ts';
import { Mirrors } from '../../../src/git/mirror.ts';
import { openRepository } from '../../../src/git/openRepository.ts';
import { KEEP_AT } from '../../support/agents/agentCheckout.ts';
import {
  type FileContent,
  git,
  type GitRepository,
  makeGitRepository,
} from '../../support/gitRepository.ts';
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

/** Bare ones: nothing is to be written into their folders. */
const make = (files: Record<string, FileContent>): GitRepository => {
  const repository = makeGitRepository({ bare: true, files });
  repositories.push(repository);
  return repository;
};

interface Entry {
  path: string;
  url: string;
  commit: string;
}

/** Files of a commit with entries for commits of other repositories, and the addresses of these. */
const listSubmodules = (entries: readonly Entry[]): Record<string, FileContent> => ({
  '.gitmodules': entries
    .map(({ path, url }) => `[submodule "${path}"]\n\tpath = ${path}\n\turl = ${url}\n`)
    .join(''),
  ...Object.fromEntries(entries.map(({ path, commit }) => [path, { submodule: commit }])),
});

const makeWith = (...entries: Entry[]): GitRepository => make(listSubmodules(entries));

const LIBRARY = make({ answer: '42\n' });
/** An entry for it. */
const AT_LIBRARY: Entry = { path: 'library', url: LIBRARY.path, commit: LIBRARY.head() };

/** A shop with a library in it, which has fonts in it, and a commit more than the shop names. */
const NESTED = (() => {
  const fonts = make({ 'a.ttf': 'font\n' });
  const url = `file://${fonts.path}`;
  const library = make({
    answer: '42\n',
    ...listSubmodules([{ path: 'fonts', url, commit: fonts.head() }]),
  });
  const shop = makeWith({ path: 'vendor/library', url: library.path, commit: library.head() });
  library.commit({ answer: '43\n' });
  return { shop, library, fonts };
})();

let jobs = 0;

/** A new checkout of `shop`, with what `allowed` lists of the repositories that the forge has. */
async function checkOut(
  repos: Readonly<Record<string, GitRepository>>,
  allowed: readonly string[],
  instead: Partial<CheckoutContents> = {},
): Promise<{ absDir: string; jobDir: string; notes: string[] }> {
  const disk = createDiskContents((slug) => openRepository(repos[slug]?.path ?? ''));
  const contents = { ...disk, ...instead };
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

let nested: ReturnType<typeof checkOut> | undefined;
/** One for the tests that only look at it. */
const openNested = () => (nested ??= checkOut(NESTED, ['library', 'fonts']));

test('submodules that the list names are files of their recorded commits, those within them too', async () => {
  const { absDir, jobDir, notes } = await openNested();
  assert.is(readIn(absDir, 'vendor/library/answer'), '42\n');
  assert.is(readIn(absDir, 'vendor/library/fonts/a.ttf'), 'font\n');
  assert.equal(notes, []);
  assert.is(git(absDir, ['status', '--porcelain']), '');
  assert.not.ok(existsSync(join(absDir, 'vendor/library/.git')));
  assert.not.ok(existsSync(join(absDir, '.git/modules')));
  assert.equal(readdirSync(jobDir), ['shop']);
});

test('a checkout with submodules can be saved and removed', async () => {
  const { absDir } = await openNested();
  const { path } = NESTED.shop;
  const request = { jobId: 'shop-job', checkoutDir: absDir, at: KEEP_AT, dryRun: false };
  const result = await keepWork({
    ...request,
    repository: { path, gitDir: openRepository(path).gitDir },
  });
  assert.equal(result, { kept: [] });
});

test('one that the list does not name stays empty, and the log names it', async () => {
  const { absDir, notes } = await checkOut(NESTED, ['library']);
  assert.is(readIn(absDir, 'vendor/library/answer'), '42\n');
  assert.not.ok(existsSync(join(absDir, 'vendor/library/fonts/a.ttf')));
  assert.is(notes.length, 1);
  assert.match(notes[0] ?? '', 'vendor/library/fonts');
});

test('a relative address counts from the folder, and from the address that the clone was made from', async () => {
  const library = make({ answer: '42\n' });
  const shop = makeWith({ ...AT_LIBRARY, url: '../library.git' });
  library.git('remote', 'add', 'origin', 'git@git.example:acme/library.git');
  shop.git('remote', 'add', 'origin', 'https://git.example/acme/shop.git');
  const { absDir } = await checkOut({ shop, library }, ['library']);
  assert.is(readIn(absDir, 'library/answer'), '42\n');
});

test('nothing is fetched from what is no address of a repository that the list names', async () => {
  const urls = [
    'ext::sh -c "touch /tmp/svc-submodule-trap"',
    '--upload-pack=touch /tmp/svc-submodule-trap',
    '../../../../../../../../etc',
    'file:///etc',
    'https://169.254.169.254/latest',
  ];
  const shop = makeWith(
    ...urls.map((url, n) => ({ path: `library-${n}`, url, commit: AT_LIBRARY.commit })),
  );
  const { absDir, notes } = await checkOut({ shop, library: LIBRARY }, ['library']);
  assert.equal(
    urls.map((_, n) => readdirSync(join(absDir, `library-${n}`))),
    urls.map(() => []),
  );
  assert.is(notes.length, urls.length);
  assert.not.ok(existsSync('/tmp/svc-submodule-trap'));
});

test('a commit that the repository does not have stops the job with what to do, and leaves no checkout', async () => {
  const shop = makeWith({ ...AT_LIBRARY, commit: '1'.repeat(40) });
  const refusal = await catchRefusal(() => checkOut({ shop, library: LIBRARY }, ['library']));
  assert.is(refusal.code, 'invalid');
  assert.not.ok(existsSync(join(dir, `job-${jobs - 1}`, 'shop')));
});

test('submodules within submodules end at five levels', async () => {
  const library = make({ answer: '42\n' });
  let commit = library.head();
  for (let level = 0; level < 6; level += 1)
    commit = library.commit(listSubmodules([{ path: 'again', url: library.path, commit }]));
  const shop = makeWith({ path: 'library', url: library.path, commit });
  const objects = join(library.path, 'objects');
  const refusal = await catchRefusal(() =>
    checkOut({ shop, library }, ['library'], {
      fetchCommit: async (_slug, _commit, gitDir) =>
        writeFileSync(join(gitDir, 'objects/info/alternates'), objects),
    }),
  );
  assert.is(refusal.code, 'too-large');
});

test('more than a hundred submodules are refused before any is fetched', async () => {
  const paths = Array.from({ length: 101 }, (_, n) => `vendor/${n}`);
  const repos = {
    shop: makeWith(...paths.map((path) => ({ ...AT_LIBRARY, path }))),
    library: LIBRARY,
  };
  const fetches: string[] = [];
  const refusal = await catchRefusal(() =>
    checkOut(repos, ['library'], { fetchCommit: async (slug) => void fetches.push(slug) }),
  );
  assert.is(refusal.code, 'too-large');
  assert.match(refusal.message, 'at most 100');
  assert.equal(fetches, []);
});

test('files of more than 2 GiB are refused before they are written', async () => {
  const library = make({ big: '0'.repeat(4 * 1024 * 1024) });
  const blob = library.git('rev-parse', 'HEAD:big');
  const input = Array.from({ length: 513 }, (_, n) => `100644 blob ${blob}\t${n}\n`).join('');
  const tree = git(library.path, ['mktree'], { input });
  const commit = library.git('commit-tree', tree, '-m', 'more of it');
  library.git('update-ref', 'refs/heads/main', commit);
  const shop = makeWith({ path: 'library', url: library.path, commit });
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
  const shop = makeWith({ path: 'library', url, commit: '1'.repeat(40) });
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
