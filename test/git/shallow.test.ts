import { mayAlwaysAct } from '../../src/base/concurrency/mayAct.ts';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readBranchDiff } from '../../src/git/readBranchDiff.ts';
import { ensureCheckout } from '../../src/git/checkout.ts';
import { keepWork } from '../../src/git/cleanup/keepWork.ts';
import { rebuildCheckout } from '../../src/git/rebuildCheckout.ts';
import { withScreenedBranch } from '../../src/git/withScreenedBranch.ts';
import { readWork } from '../../src/git/readWork.ts';
import { createLocalForge } from '../../src/providers/local/forge.ts';
import { KnownSecrets } from '../../src/base/secrets/knownSecrets.ts';
import { ForgeRows } from '../support/forges/forgeRows.ts';
import { git, makeGitRepository } from '../support/gitRepository.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('scm shallow clones');
const long = longLane(test);

const by = (operationId: string) => ({ author: 'ada', at: Date.UTC(2026, 0, 2), operationId });
const known = new KnownSecrets(['canary-0123456789']);

/** A clone of depth 1, and a job's checkout of it with a commit on `change`. */
async function openShallow() {
  const dir = mkdtempSync(join(tmpdir(), 'svc-shallow-'));
  const origin = makeGitRepository();
  origin.commit({ 'a.txt': 'a\n' });
  origin.commit({ 'a.txt': 'aa\n' });
  const path = join(dir, 'shop');
  git(dir, ['clone', '--quiet', '--depth=1', `file://${origin.path}`, path]);
  const jobDir = join(dir, 'job');
  const result = await ensureCheckout({ repoPath: path, jobDir, slug: 'shop', baseBranch: 'main' });
  const checkout = result.absDir;
  git(checkout, ['switch', '--quiet', '-c', 'change']);
  writeFileSync(join(checkout, 'b.txt'), 'b\n');
  git(checkout, ['add', '--all']);
  git(checkout, ['commit', '--quiet', '-m', 'change']);
  const end = () => {
    rmSync(dir, { recursive: true, force: true });
    origin.remove();
  };
  return { dir, path, checkout, end };
}

/** The pull request of `change`, as the tools open it, and its merge into a base that has moved. */
async function openAndMerge(path: string, checkout: string): Promise<void> {
  const rows = new ForgeRows();
  const forge = createLocalForge({
    mayAct: mayAlwaysAct,
    repos: { shop: { path, defaultBranch: 'main' } },
    rows,
    webUrl: (repo, number) => `http://127.0.0.1/${repo}/${number}`,
  });
  const request = { repo: 'shop', head: 'change', base: '', title: 'A change', body: '' };
  const opened = await withScreenedBranch(
    {
      checkoutDir: checkout,
      branch: 'change',
      repoPath: path,
      findTokens: () => [],
      stream: () => known.stream(),
      screen: known.screen,
    },
    (searched) =>
      forge.write('create_pr', { ...request, checkoutDir: searched, workItem: null }, by('open')),
  );
  rows.commit(opened);
  writeFileSync(join(path, 'main.txt'), 'm\n');
  git(path, ['add', '--all']);
  git(path, ['commit', '--quiet', '-m', 'main moves']);
  await forge.write('merge_pr', { repo: 'shop', number: 1, head: '' }, by('merge'));
}

test('a branch of a checkout of a shallow clone is opened, diffed and merged', async () => {
  const { path, checkout, end } = await openShallow();
  const diff = await readBranchDiff({
    checkoutDir: checkout,
    branch: 'change',
    base: 'main',
    repoPath: path,
  });
  assert.equal(diff.paths, ['b.txt']);
  assert.equal((await readWork(checkout, 'main'))?.changed?.files, [
    { path: 'b.txt', added: 1, removed: 0 },
  ]);
  await openAndMerge(path, checkout);
  assert.is(readFileSync(join(path, 'b.txt'), 'utf8'), 'b\n');
  assert.is(git(path, ['status', '--porcelain']), '');
  git(path, ['fsck', '--strict']);
  end();
});

for (const [what, args] of [
  ['whole', ['--unshallow']],
  ['one commit deeper', ['--deepen=1']],
] as const)
  long(`a clone that became ${what} under a job takes its branch all the same`, async () => {
    const { path, checkout, end } = await openShallow();
    git(path, ['fetch', '--quiet', ...args]);
    const diff = await readBranchDiff({
      checkoutDir: checkout,
      branch: 'change',
      base: 'main',
      repoPath: path,
    });
    assert.equal(diff.paths, ['b.txt']);
    await openAndMerge(path, checkout);
    assert.is(readFileSync(join(path, 'b.txt'), 'utf8'), 'b\n');
    assert.is(existsSync(join(path, '.git', 'shallow')), what !== 'whole');
    end();
  });

long('work in a checkout of a shallow clone is saved before the checkout is removed', async () => {
  const { path, checkout, end } = await openShallow();
  writeFileSync(join(checkout, 'c.txt'), 'c\n');
  const repository = { path, gitDir: join(path, '.git') };
  const request = {
    jobId: 'job-1',
    checkoutDir: checkout,
    repository,
    at: Date.UTC(2026, 0, 2),
    dryRun: false,
  };
  const result = await keepWork(request);
  assert.equal('kept' in result ? result.kept.map(({ what }) => what) : result, [
    'branch change',
    'files',
  ]);
  // Cut elsewhere than the repository, it holds commits that cannot be fetched into it.
  writeFileSync(join(checkout, '.git', 'shallow'), `${'a'.repeat(40)}\n`);
  assert.equal(await keepWork(request), { problem: 'its history is shallow' });
  end();
});

long('a checkout of a shallow clone is made again from its objects and refs', async () => {
  const { dir, path, checkout, end } = await openShallow();
  const parts = join(dir, 'parts');
  git(dir, ['clone', '--quiet', '--mirror', `file://${checkout}`, parts]);
  git(parts, ['symbolic-ref', 'HEAD', 'refs/heads/change']);
  const again = join(dir, 'again');
  await rebuildCheckout({
    parts,
    checkoutDir: again,
    source: path,
    origin: path,
    missing: ['b.txt'],
  });
  assert.is(git(again, ['log', '--format=%s', 'change']), 'change\nChange');
  end();
});

test.run();
