import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mayAlwaysAct } from '../../src/base/concurrency/mayAct.ts';
import { ensureCheckout } from '../../src/git/checkout.ts';
import { Mirrors } from '../../src/git/mirror.ts';
import { withCommittedWork } from '../../src/git/work/withCommittedWork.ts';
import { AgentCheckout, KEPT_JOB } from '../support/agents/agentCheckout.ts';
import { answerGit } from '../support/forges/fakeForge/gitHttp.ts';
import { git } from '../support/gitRepository.ts';

const test = suite('work in progress in refs of a forge');

const REF = `refs/svc/wip/${KEPT_JOB}`;
/** After the commits of test repositories. */
const LATER = Date.UTC(2026, 5, 1);
const EARLIER = Date.UTC(2025, 5, 1);

/** A checkout of a repository, and a clone of the same job on another machine. */
async function openJob() {
  const checkout = await AgentCheckout.make();
  const repoPath = checkout.repo.path;
  const save = (at = LATER): Promise<string> =>
    withCommittedWork(
      { jobId: KEPT_JOB, checkoutDir: checkout.dir, repoPath, at },
      async ({ dir, branch, state }) => {
        git(repoPath, ['fetch', '--quiet', dir, `+refs/heads/${branch}:${REF}`]);
        return state;
      },
    );
  const restore = async (branches: string[] = []) => {
    const jobDir = mkdtempSync(join(tmpdir(), 'svc-elsewhere-'));
    const options = { repoPath, jobDir, slug: 'shop', baseBranch: 'main' };
    return ensureCheckout({ ...options, branches, workRef: REF });
  };
  return { checkout, save, restore };
}

test('the branch, its commits and the files that were not committed continue in a clone elsewhere', async () => {
  const { checkout, save, restore } = await openJob();
  checkout.git('switch', '--quiet', '-c', 'feature/a');
  const head = checkout.commit('done.txt', 'done');
  checkout.write('README.md', '# Changed\n');
  checkout.write('new/file.txt', 'new');
  checkout.write('debug.log', 'ignored');
  const before = checkout.git('status', '--porcelain');
  await save();
  assert.is(checkout.git('status', '--porcelain'), before, 'the checkout stays as it is');
  const { absDir, continuesWork, baseCommit } = await restore();
  assert.is(continuesWork, true);
  assert.is(git(absDir, ['branch', '--show-current']), 'feature/a');
  assert.is(git(absDir, ['rev-parse', 'HEAD']), head);
  assert.is(baseCommit, checkout.repo.head('main'));
  assert.is(git(absDir, ['status', '--porcelain']), ' M README.md\n?? new/');
  assert.is(readFileSync(join(absDir, 'new/file.txt'), 'utf8'), 'new');
  assert.match(git(absDir, ['fsck', '--connectivity-only']), /^(dangling .*)?$/);
});

test('a deleted file and a detached HEAD are as they were; without changes only the commit is', async () => {
  const { checkout, save, restore } = await openJob();
  checkout.git('switch', '--quiet', '--detach');
  const head = checkout.commit('a.txt', 'a');
  const state = await save();
  assert.is(await save(LATER + 1_000), state, 'the same work has the same state');
  rmSync(join(checkout.dir, 'a.txt'));
  assert.is.not(await save(), state);
  const { absDir } = await restore();
  assert.is(git(absDir, ['branch', '--show-current']), '');
  assert.is(git(absDir, ['rev-parse', 'HEAD']), head);
  assert.is(git(absDir, ['status', '--porcelain']), ' D a.txt');
});

test('the newest of the pushed branch and the saved work continues', async () => {
  const { checkout, save, restore } = await openJob();
  checkout.git('switch', '--quiet', '-c', 'fix');
  checkout.commit('pushed.txt', '1');
  checkout.git('push', '--quiet', 'origin', 'HEAD:refs/heads/fix');
  checkout.write('open.txt', 'open');
  await save(EARLIER);
  assert.is((await restore(['fix'])).continuesWork, true, 'it contains the branch');
  checkout.commit('open.txt', 'committed');
  checkout.git('push', '--quiet', 'origin', 'HEAD:refs/heads/fix');
  const pushed = await restore(['fix']);
  assert.is(pushed.continuesWork, undefined);
  assert.is(pushed.continuedBranch, 'fix', 'the branch was pushed after the work was saved');
  assert.is(git(pushed.absDir, ['status', '--porcelain']), '');
});

test('a ref that svc has not made, or that names no possible branch, is not used', async () => {
  const { checkout, restore } = await openJob();
  const { repo } = checkout;
  repo.git('update-ref', REF, repo.head('main'));
  assert.is((await restore()).continuesWork, undefined);
  for (const branch of ['../x', '-f', 'a b']) {
    const message = `Work\n\nBranch: ${branch}\n`;
    const commit = repo.git('commit-tree', 'main^{tree}', '-p', 'main', '-m', message);
    repo.git('update-ref', REF, commit);
    assert.is((await restore()).continuesWork, undefined, branch);
  }
});

test('a remote forge gets the ref beside its branches, gives it to another machine and loses it', async () => {
  const { checkout } = await openJob();
  const gitDir = checkout.repo.path;
  const server = createServer((req, res) => {
    const rest = (req.url ?? '').replace(/^\/shop/, '');
    answerGit({ gitDir }, { login: 'svc' }, rest, req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A failed test must not keep the process.
  server.unref();
  const { port } = server.address() as AddressInfo;
  const openMachine = () =>
    new Mirrors({
      mayAct: mayAlwaysAct,
      dir: mkdtempSync(join(tmpdir(), 'svc-mirrors-')),
      network: () => ({ url: `http://127.0.0.1:${port}/shop`, username: 'svc', password: 'p' }),
    });
  const [here, elsewhere] = [openMachine(), openMachine()];
  const { path } = await here.fetch('shop');
  checkout.write('open.txt', 'open');
  const push = () =>
    withCommittedWork(
      { jobId: KEPT_JOB, checkoutDir: checkout.dir, repoPath: path, at: LATER },
      (work) => here.workRefs().push('shop', REF, work),
    );
  await push();
  checkout.git('commit', '--quiet', '--allow-empty', '--amend', '-m', 'rewritten');
  await push();
  assert.is(git(gitDir, ['log', '-1', '--format=%s', `${REF}^`]), 'rewritten', 'by force');
  const { path: mirror } = await elsewhere.fetch('shop');
  const workRef = await elsewhere.workRefs().fetch('shop', REF);
  const jobDir = mkdtempSync(join(tmpdir(), 'svc-elsewhere-'));
  const options = { repoPath: mirror, jobDir, slug: 'shop', baseBranch: 'main' };
  const { absDir } = await ensureCheckout({ ...options, workRef });
  assert.is(git(absDir, ['status', '--porcelain']), '?? open.txt');
  await elsewhere.workRefs().remove('shop', REF);
  assert.is(git(gitDir, ['for-each-ref', 'refs/svc']), '');
  assert.is(await elsewhere.workRefs().fetch('shop', REF), null);
  await elsewhere.workRefs().remove('shop', REF);
  const request = { dryRun: true, isInUse: () => false };
  assert.ok('bytes' in (await here.drop('shop', request)), 'the mirror holds nothing of its own');
  server.closeAllConnections();
  server.close();
});

test.run();
