import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkKeepPlace, takeBundle } from '../../../cli/local/run/bundle/takeBundle.ts';
import { readBundleManifest, unpackBundle } from '../../../cli/local/run/bundle/unpackBundle.ts';
import {
  formatBundleManifest,
  parseBundleManifest,
} from '../../../cli/local/run/bundle/manifest.ts';
import {
  SecretSearch,
  writeJobBundle,
  type BundleSummary,
} from '../../../cli/local/run/bundle/writeJobBundle.ts';
import { catchRefusal } from '../../support/refusal.ts';

const ABOUT: BundleSummary = {
  format: 1,
  svc: '0.2.0',
  job: {
    id: 'shop-job-1',
    status: 'awaiting-pr-merge',
    workflowPath: 'workflows/job.md',
    hasLayer: false,
    frame: 17,
    ended: null,
  },
  repository: { slug: 'shop', forge: 'local', isLocal: true, identity: 'first commit abc' },
};

const test = suite<{ dir: string; home: string; kept: string }>('svc run: bundle');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-bundle-'));
  context.home = join(context.dir, 'home');
  context.kept = join(context.dir, 'kept');
  const checkout = join(context.home, 'work', 'shop-job-1', 'shop');
  const files = {
    'state.db': 'state',
    'config.json': 'a key of a model',
    'runner.token': 'token-of-the-runner',
    'work/shop-job-1/home/.login': 'login of the agent',
    'work/shop-job-1/shop/src/new.js': 'export {};\n',
    'work/shop-job-1/shop/.gitignore': 'node_modules\n',
    'work/shop-job-1/shop/node_modules/big.js': 'big',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(context.home, path, '..'), { recursive: true });
    writeFileSync(join(context.home, path), text);
  }
  chmodSync(join(checkout, 'src/new.js'), 0o755);
  symlinkSync('src/new.js', join(checkout, 'link.js'));
  execFileSync('git', ['init', '--quiet'], { cwd: checkout });
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

const unpacked = async (kept: string, to: string) => {
  await unpackBundle(kept, await readBundleManifest(kept), to, join(to, 'parts'));
  return (path: string) => readFileSync(join(to, path), 'utf8');
};

test('state, links, rights and unpushed files come back as they were', async ({
  dir,
  home,
  kept,
}) => {
  await writeJobBundle(kept, home, ABOUT, []);
  const to = join(dir, 'again');
  const read = await unpacked(kept, to);
  assert.is(read('state.db'), 'state');
  const shop = join(to, 'work/shop-job-1/shop');
  assert.is(readlinkSync(join(shop, 'link.js')), 'src/new.js');
  assert.is(statSync(join(shop, 'src/new.js')).mode & 0o777, 0o700);
  assert.match(read('parts/0/HEAD'), 'ref:');
});

test('configuration, token, logins of agents and what git ignores are left out', async ({
  home,
  kept,
}) => {
  await writeJobBundle(kept, home, ABOUT, []);
  const { files } = await readBundleManifest(kept);
  const excludedPaths = /config\.json|runner\.token|\/home\/|node_modules/;
  assert.equal(
    files.filter(({ path }) => excludedPaths.test(path)),
    [],
  );
});

test('a file with a known secret keeps the job from being kept, and no draft stays', async ({
  dir,
  home,
  kept,
}) => {
  writeFileSync(join(home, 'work/shop-job-1/shop/src/new.js'), 'const key = "sk-ant-0123456789";');
  const error = await catchRefusal(() => writeJobBundle(kept, home, ABOUT, ['sk-ant-0123456789']));
  assert.match(error.message, 'src/new.js of it holds a secret');
  assert.equal(execFileSync('ls', ['-A', dir], { encoding: 'utf8' }).trim(), 'home');
});

test('a secret is found across two pieces', () => {
  const search = new SecretSearch(['sk-ant-0123456789']);
  assert.is(search.finds(Buffer.from('key: sk-ant-')), false);
  assert.is(search.finds(Buffer.from('0123456789')), true);
});

test('a bundle replaces an earlier one', async ({ home, kept }) => {
  await writeJobBundle(kept, home, ABOUT, []);
  await writeJobBundle(kept, home, { ...ABOUT, job: { ...ABOUT.job, frame: 20 } }, []);
  assert.is((await readBundleManifest(kept)).job.frame, 20);
});

test('a job that has ended keeps no files', async ({ home, kept }) => {
  await writeJobBundle(kept, home, { ...ABOUT, job: { ...ABOUT.job, ended: 0 } }, []);
  assert.equal((await readBundleManifest(kept)).files, []);
});

test('a changed manifest is refused', async ({ home, kept }) => {
  await writeJobBundle(kept, home, ABOUT, []);
  const file = join(kept, 'manifest.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"frame": 17', '"frame": 18'));
  assert.match((await catchRefusal(() => readBundleManifest(kept))).message, 'is damaged');
});

test('cut files are refused', async ({ dir, home, kept }) => {
  await writeJobBundle(kept, home, ABOUT, []);
  truncateSync(join(kept, 'files.gz'), statSync(join(kept, 'files.gz')).size - 20);
  assert.match(
    (await catchRefusal(() => unpacked(kept, join(dir, 'again')))).message,
    'is damaged',
  );
});

test('changed files are refused', async ({ dir, home, kept }) => {
  await writeJobBundle(kept, home, ABOUT, []);
  const other = join(dir, 'other');
  writeFileSync(join(home, 'state.db'), 'STATE');
  await writeJobBundle(other, home, ABOUT, []);
  writeFileSync(join(kept, 'files.gz'), readFileSync(join(other, 'files.gz')));
  const error = await catchRefusal(() => unpacked(kept, join(dir, 'again')));
  assert.match(error.message, 'state.db was changed');
});

test('a newer format is refused by its number', () => {
  const text = JSON.stringify({ body: { format: 3, something: 'else' }, sha256: '' });
  assert.throws(
    () => parseBundleManifest(text, 'kept'),
    /has format 3, and this svc reads up to 2/,
  );
});

const file = (path: string, link = false) => ({
  path,
  mode: 0o600,
  size: 0,
  sha256: '0'.repeat(64),
  link,
});

test('paths that lead out of the home are refused', () => {
  for (const path of ['../state.db', '/etc/passwd', 'work/../../x', 'work//x'])
    assert.throws(
      () => parseBundleManifest(formatBundleManifest({ ...ABOUT, files: [file(path)] }), 'kept'),
      /invalid file names/,
      path,
    );
});

test('files behind a link are refused', () => {
  const files = [file('work', true), file('work/x')];
  assert.throws(
    () => parseBundleManifest(formatBundleManifest({ ...ABOUT, files }), 'kept'),
    /behind a symbolic link/,
  );
});

test('a folder with other files is no place for a bundle', async ({ home }) => {
  assert.match((await catchRefusal(() => checkKeepPlace(home))).message, 'holds other files');
});

test('a bundle is continued by one run at a time, and given back', async ({ dir }) => {
  const kept = join(dir, 'kept');
  const giveBack = await takeBundle(kept);
  assert.match((await catchRefusal(() => takeBundle(kept))).message, 'Another svc run');
  await giveBack();
  await (await takeBundle(kept))();
});

test('the lock of a process that is gone is taken over', async ({ dir }) => {
  writeFileSync(join(dir, 'kept.lock'), '999999999\n');
  await (await takeBundle(join(dir, 'kept')))();
});

test.run();
