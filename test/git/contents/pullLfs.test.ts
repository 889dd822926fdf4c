import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { ensureCheckout } from '../../../src/git/checkout.ts';
import { keepWork } from '../../../src/git/cleanup/keepWork.ts';
import { createDiskContents } from '../../../src/git/contents/createDiskContents.ts';
import { formatPointer, parsePointer } from '../../../src/git/contents/lfsPointers.ts';
import { pullLfs } from '../../../src/git/contents/pullLfs.ts';
import { toLfsObjectPath } from '../../../src/git/contents/storedLfsObjects.ts';
import { Mirrors } from '../../../src/git/mirror.ts';
import { openRepository } from '../../../src/git/openRepository.ts';
import { readWork } from '../../../src/git/readWork.ts';
import { KEEP_AT } from '../../support/agents/agentCheckout.ts';
import { hasGitLfs, openLfsServer, toLfsPointer } from '../../support/forges/lfsServer.ts';
import { git, makeGitRepository } from '../../support/gitRepository.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('files of Git LFS in a new checkout');

const dir = mkdtempSync(join(tmpdir(), 'svc-lfs-'));
/** A server that never answers. */
const silent = createServer(() => {});
test.after(() => {
  silent.closeAllConnections();
  silent.close();
  rmSync(dir, { recursive: true, force: true });
});

const CONTENTS = 'whole\n';
const FILES = {
  '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
  'data.bin': toLfsPointer(CONTENTS),
  'plain.txt': 'plain\n',
};
let jobs = 0;
const nextJobDir = (): string => join(dir, `job-${jobs++}`);

/** Stores contents as git-lfs does. */
const store = (gitDir: string, contents: string): void => {
  const { oid = '' } = parsePointer(Buffer.from(toLfsPointer(contents))) ?? {};
  const place = join(gitDir, toLfsObjectPath(oid));
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, contents);
};

test('without git-lfs the files stay pointers, and the answer says why', async () => {
  const repository = makeGitRepository({ files: FILES });
  const why = await pullLfs({
    checkoutDir: repository.path,
    url: 'http://127.0.0.1:1/info/lfs',
    isInstalled: async () => false,
  });
  assert.match(String(why), 'git-lfs is not installed');
  assert.is(readFileSync(join(repository.path, 'data.bin'), 'utf8'), FILES['data.bin']);
  repository.remove();
});

test('a repository without such files needs no git-lfs', async () => {
  const repository = makeGitRepository({ files: { 'plain.txt': 'plain\n' } });
  const url = 'http://127.0.0.1:1/info/lfs';
  assert.is(await pullLfs({ checkoutDir: repository.path, url }), null);
  repository.remove();
});

/** A pointer to contents that no one has. */
const formatLostPointer = (size: number): string => formatPointer({ oid: '1'.repeat(64), size });

test('files of more than 5 GiB are refused before any is fetched', async () => {
  const size = 5 * 1024 ** 3 + 1;
  const repository = makeGitRepository({
    files: { ...FILES, 'data.bin': formatLostPointer(size) },
  });
  const refusal = await catchRefusal(() =>
    pullLfs({
      checkoutDir: repository.path,
      url: 'http://127.0.0.1:1/info/lfs',
      isInstalled: async () => true,
    }),
  );
  assert.is(refusal.code, 'too-large');
  assert.match(refusal.message, `at most ${5 * 1024 ** 3}`);
  repository.remove();
});

test('more than 20,000 files are refused before any is fetched', async () => {
  const repository = makeGitRepository({ files: FILES });
  const blob = repository.git('rev-parse', 'HEAD:data.bin').trim();
  const entries = Array.from({ length: 20_000 }, (_, n) => `100644 ${blob}\t${n}.bin\n`);
  execFileSync('git', ['-C', repository.path, 'update-index', '--index-info'], {
    input: entries.join(''),
  });
  const refusal = await catchRefusal(() =>
    pullLfs({
      checkoutDir: repository.path,
      url: 'http://127.0.0.1:1/info/lfs',
      isInstalled: async () => true,
    }),
  );
  assert.is(refusal.code, 'too-large');
  assert.match(refusal.message, 'at most 20000');
  repository.remove();
});

if (!hasGitLfs()) test('git-lfs is not installed: nothing of it can be tried', () => undefined);
else {
  /** A repository of this disk, whose git-lfs has the contents, and a checkout of it. */
  const makeLocal = async () => {
    const { path, remove } = makeGitRepository({ files: FILES });
    const repository = openRepository(path);
    store(repository.gitDir, CONTENTS);
    const contents = createDiskContents(() => repository);
    const { absDir } = await ensureCheckout({
      repoPath: path,
      jobDir: nextJobDir(),
      slug: 'shop',
      baseBranch: 'main',
      fill: async (clone) => void (await contents.fetchLfs('shop', clone)),
    });
    const keep = (checkoutDir: string) =>
      keepWork({
        jobId: 'shop-job',
        checkoutDir,
        repository: { path, gitDir: repository.gitDir },
        at: KEEP_AT,
        dryRun: true,
      });
    return { absDir, keep, remove };
  };
  let local: ReturnType<typeof makeLocal> | undefined;
  const openLocal = () => (local ??= makeLocal());
  /** One with a change, which is not committed. */
  const openChanged = async () => {
    const { absDir, keep } = await openLocal();
    const changedDir = nextJobDir();
    cpSync(absDir, changedDir, { recursive: true });
    writeFileSync(join(changedDir, 'data.bin'), 'changed\n');
    return { absDir: changedDir, keep: () => keep(changedDir) };
  };
  test.after(async () => (await local)?.remove());

  test('contents come from the repository of this disk, and count as unchanged', async () => {
    const { absDir, keep } = await openLocal();
    assert.is(readFileSync(join(absDir, 'data.bin'), 'utf8'), CONTENTS);
    assert.not.ok(existsSync(join(absDir, '.git/hooks')));
    assert.is(git(absDir, ['status', '--porcelain']), '');
    assert.is((await readWork(absDir, 'main'))?.changed?.count, 0);
    assert.equal(await keep(absDir), { kept: [] });
  });

  test('a changed file is work: it is saved whole, where the checkout holds no contents of its own', async () => {
    const { absDir, keep } = await openChanged();
    assert.is((await readWork(absDir, 'main'))?.changed?.count, 1);
    const result = await keep();
    assert.equal('kept' in result ? result.kept.map(({ what }) => what) : result, ['files']);
  });

  test('committed contents that nothing else has keep the checkout from being removed', async () => {
    const { absDir, keep } = await openChanged();
    git(absDir, ['commit', '--quiet', '--all', '-m', 'change']);
    assert.ok('problem' in (await keep()));
  });

  /**
   * A forge that has the contents of `main`, not those of its branch `lost`. Its repository names a server of Git LFS
   * elsewhere, whose requests are counted.
   */
  const openRemote = async () => {
    let elsewhereRequests = 0;
    const elsewhere = createServer((_, res) => {
      elsewhereRequests += 1;
      res.writeHead(500).end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/lfs`;
    const repository = makeGitRepository({
      bare: true,
      files: {
        ...FILES,
        '.lfsconfig': `[lfs]\n\turl = ${url}\n[remote "origin"]\n\tlfsurl = ${url}\n`,
      },
    });
    repository.commit({ 'data.bin': toLfsPointer('lost\n') }, { branch: 'lost' });
    const login = { username: 'svc', password: 'canary-forge-password' };
    const server = await openLfsServer({
      gitDir: repository.path,
      contents: [CONTENTS],
      ...login,
    });
    const mirrors = new Mirrors({
      mayAct: mayAlwaysAct,
      dir: join(dir, 'mirrors'),
      network: () => ({ url: server.url, ...login }),
    });
    const { path } = await mirrors.fetch('shop');
    const checkOut = async (baseBranch: string) =>
      ensureCheckout({
        repoPath: path,
        jobDir: nextJobDir(),
        slug: 'shop',
        baseBranch,
        fill: async (clone) => void (await mirrors.contents().fetchLfs('shop', clone)),
      });
    const countElsewhere = (): number => elsewhereRequests;
    const end = async () => {
      elsewhere.close();
      await server.end();
      repository.remove();
    };
    return { ...server, ...login, checkOut, countElsewhere, end };
  };
  let remote: Awaited<ReturnType<typeof openRemote>>;
  let remoteCheckout: string;
  test.before(async () => {
    remote = await openRemote();
    remoteCheckout = (await remote.checkOut('main')).absDir;
  });
  test.after(() => remote.end());

  test('contents come from the forge, whose login goes to no other server and into no file', async () => {
    assert.is(readFileSync(join(remoteCheckout, 'data.bin'), 'utf8'), CONTENTS);
    assert.equal(remote.storageLogins, [undefined]);
    assert.is(remote.batches[0]?.operation, 'download');
    const config = readFileSync(join(remoteCheckout, '.git/config'), 'utf8');
    assert.not.match(config, remote.password);
    assert.not.match(config, remote.url);
  });

  test('the address in .lfsconfig of a repository is not asked', () => {
    assert.ok(existsSync(join(remoteCheckout, '.lfsconfig')));
    assert.is(remote.countElsewhere(), 0);
  });

  test('contents that the server does not have stop the job, with the last lines and no checkout', async () => {
    const refusal = await catchRefusal(() => remote.checkOut('lost'));
    assert.is(refusal.code, 'invalid');
    assert.match(refusal.message, 'Object does not exist');
    assert.not.match(refusal.message, remote.password);
    assert.not.ok(existsSync(join(dir, `job-${jobs - 1}`, 'shop')));
  });

  test('a server that does not answer in time stops the job with the limit', async () => {
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/info/lfs`;
    const repository = makeGitRepository({ files: FILES });
    const refusal = await catchRefusal(() =>
      pullLfs({ checkoutDir: repository.path, url, timeoutMs: 300 }),
    );
    assert.is(refusal.code, 'too-large');
    assert.match(refusal.message, 'not fetched within 0.005 minutes');
    repository.remove();
  });
}

test.run();
