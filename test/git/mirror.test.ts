import { mayAlwaysAct } from '../../src/base/concurrency/mayAct.ts';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ensureCheckout } from '../../src/git/checkout.ts';
import { Mirrors } from '../../src/git/mirror.ts';
import { answerGit } from '../support/forges/fakeForge/gitHttp.ts';
import { git, makeGitRepository } from '../support/gitRepository.ts';
import { longLane } from '../support/longLane.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('scm mirrors of a forge');
const long = longLane(test);

/** A git server with one repository, a mirror of it, and a checkout of the mirror. */
async function openServer(gitDir: string) {
  const dir = mkdtempSync(join(tmpdir(), 'svc-mirror-'));
  const server = createServer((req, res) => {
    const rest = (req.url ?? '').replace(/^\/shop/, '');
    answerGit({ gitDir }, { login: 'svc' }, rest, req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const mirrors = new Mirrors({
    mayAct: mayAlwaysAct,
    dir: join(dir, 'mirrors'),
    network: () => ({ url: `http://127.0.0.1:${port}/shop`, username: 'svc', password: 'p' }),
  });
  const { path } = await mirrors.fetch('shop');
  const jobDir = join(dir, 'job');
  const result = await ensureCheckout({ repoPath: path, jobDir, slug: 'shop', baseBranch: 'main' });
  const checkout = result.absDir;
  const push = async (branch: string): Promise<void> => {
    git(checkout, ['switch', '--quiet', '-c', branch, 'origin/main']);
    writeFileSync(join(checkout, 'b.txt'), `${branch}\n`);
    git(checkout, ['add', '--all']);
    git(checkout, ['commit', '--quiet', '-m', branch]);
    await mirrors.push('shop', checkout, branch);
  };
  const end = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(dir, { recursive: true, force: true });
  };
  return { checkout, push, end };
}

long('a server whose own history is cut is mirrored, and takes a branch', async () => {
  const whole = makeGitRepository();
  whole.commit({ 'a.txt': 'a\n' });
  const cut = `${whole.path}-cut`;
  git('/', ['clone', '--quiet', '--bare', '--depth=1', `file://${whole.path}`, cut]);
  const { push, end } = await openServer(cut);
  await push('change');
  assert.is(git(cut, ['log', '--format=%s', 'change']), 'change\nChange');
  await end();
  rmSync(cut, { recursive: true });
  whole.remove();
});

test('a branch that another one on the server excludes is refused with a free name, also where the mirror did not know it', async () => {
  const repository = makeGitRepository({ bare: true });
  const { push, end } = await openServer(repository.path);
  repository.git('branch', 'change/by-ann', 'main');
  const refusal = await catchRefusal(() => push('change'));
  assert.is(refusal.code, 'conflict');
  assert.equal(refusal.data, { existing: 'change/by-ann', suggestion: 'change-2' });
  await end();
  repository.remove();
});

long('a branch that was pushed before and is gone does not exclude another one', async () => {
  const repository = makeGitRepository({ bare: true });
  const { checkout, push, end } = await openServer(repository.path);
  await push('feat');
  repository.git('branch', '-D', 'feat');
  git(checkout, ['switch', '--quiet', '--detach']);
  git(checkout, ['branch', '-D', 'feat']);
  await push('feat/x');
  assert.is(repository.git('log', '--format=%s', 'feat/x'), 'feat/x\nStart');
  await end();
  repository.remove();
});

test.run();
