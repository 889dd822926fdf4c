import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KnownSecrets } from '../../../src/base/secrets/knownSecrets.ts';
import {
  copyArtefact,
  toCopyPath,
  MAX_ARTEFACT_FILE_BYTES,
  restoreCopies,
  storeFile,
} from '../../../src/jobs/workspace/artefactFiles.ts';
import { BlobStore } from '../../../src/jobs/workspace/blobs.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('artefacts and files of the job');

const home = mkdtempSync(join(tmpdir(), 'svc-artefact-'));
const jobDir = join(home, 'work', 'job-1');
const checkout = join(jobDir, 'shop');
mkdirSync(join(checkout, 'out'), { recursive: true });
mkdirSync(join(jobDir, '_sessions'));
writeFileSync(join(home, 'outside.txt'), 'outside');
const blobs = new BlobStore(join(home, 'blobs'));
const SECRET = 'canary-0123456789';
const secrets = new KnownSecrets([SECRET]);
const folders = { jobDir, checkout: 'shop' };
const store = (path: string) => storeFile(folders, path, { blobs, stream: () => secrets.stream() });
const readBytes = async (path: string) =>
  readFileSync(blobs.path((await store(path)).sha256), 'utf8');

test('a file of the checkout is stored by its path from there, one of the job by its absolute path', async () => {
  writeFileSync(join(checkout, 'out', 'test.log'), 'all passed');
  writeFileSync(join(jobDir, 'notes.txt'), 'notes');
  assert.is(await readBytes('out/test.log'), 'all passed');
  assert.is(await readBytes(join(jobDir, 'notes.txt')), 'notes');
});

test('known secrets are taken out while it is read, also across the pieces that are read at once', async () => {
  writeFileSync(
    join(checkout, 'big.log'),
    `${'x'.repeat(64 * 1024 - 5)}${SECRET}${'y'.repeat(10)}`,
  );
  assert.is(await readBytes('big.log'), `${'x'.repeat(64 * 1024 - 5)}[secret]${'y'.repeat(10)}`);
});

test('paths that lead elsewhere are refused', async () => {
  for (const path of [
    '../../outside.txt',
    'out/../out/test.log',
    join(home, 'outside.txt'),
    '/etc/hostname',
    '.',
    '',
    join(jobDir, '_sessions', 'x'),
  ]) {
    assert.is((await catchRefusal(() => store(path))).code, 'bad-argument', path);
  }
  assert.is((await catchRefusal(() => store('none.txt'))).code, 'not-found');
});

test('no symbolic link is followed, neither at the end nor on the way', async () => {
  symlinkSync(join(home, 'outside.txt'), join(checkout, 'link.txt'));
  symlinkSync(home, join(checkout, 'up'));
  for (const path of ['link.txt', 'up/outside.txt'])
    assert.is((await catchRefusal(() => store(path))).code, 'bad-argument', path);
});

test('folders and pipes are refused at once', async () => {
  execFileSync('mkfifo', [join(checkout, 'pipe')]);
  for (const path of ['out', 'pipe'])
    assert.match((await catchRefusal(() => store(path))).message, /not a regular file/, path);
});

test('25 MiB are taken, a byte more is refused with the limit, and nothing of it stays', async () => {
  const path = join(checkout, 'large.bin');
  writeFileSync(path, '');
  truncateSync(path, MAX_ARTEFACT_FILE_BYTES);
  assert.is((await store('large.bin')).size, MAX_ARTEFACT_FILE_BYTES);
  truncateSync(path, MAX_ARTEFACT_FILE_BYTES + 1);
  const { code, message } = await catchRefusal(() => store('large.bin'));
  assert.is(code, 'too-large');
  assert.match(message, /26214400 bytes \(25 MiB\)/);
  assert.equal(
    readdirSync(join(home, 'blobs')).filter((name) => name.startsWith('.draft')),
    [],
  );
});

for (const [kind, title, mime, expected] of [
  ['plan-md', 'The Plan: v2', 'text/markdown', 'plan/the-plan-v2.md'],
  ['report-md', '../../etc/passwd', 'text/markdown', 'reports/etc-passwd.md'],
  ['test-output', 'Unit tests', 'text/plain', 'test-outputs/unit-tests.txt'],
  ['coverage', 'Ünïcode 100 %', 'application/json', 'artifacts/u-ni-code-100.json'],
  ['shot', '…', 'image/png', 'artifacts/shot.png'],
] as const) {
  test(`the copy of ${kind} "${title}" is ${expected} (RUN-3)`, () => {
    assert.is(toCopyPath({ kind, title, mime }).join('/'), expected);
  });
}

const copy = async (
  kind: string,
  title: string,
  text: string,
  where: { jobDir: string; checkout: string | null } = folders,
) => {
  const { sha256 } = await blobs.put(new TextEncoder().encode(text));
  return copyArtefact(where, { kind, title, mime: 'text/markdown', sha256 }, blobs);
};

test('a copy appears in the folder of the job; the same again changes nothing, a newer one takes its place (RUN-3)', async () => {
  assert.is(await copy('plan-md', 'Plan', 'one'), 'plan/plan.md');
  assert.is(await copy('plan-md', 'Plan', 'one'), 'plan/plan.md');
  assert.is(readFileSync(join(jobDir, 'plan', 'plan.md'), 'utf8'), 'one');
  await copy('plan-md', 'Plan', 'two');
  assert.is(readFileSync(join(jobDir, 'plan', 'plan.md'), 'utf8'), 'two');
  assert.equal(readdirSync(join(jobDir, 'plan')), ['plan.md']);
});

test('copies that are missing are put back, the newest of each title; existing ones stay (RUN-3)', async () => {
  const of = async (title: string, text: string) => ({
    kind: 'test-output',
    title,
    mime: 'text/plain',
    ...(await blobs.put(new TextEncoder().encode(text))),
  });
  const artefacts = [await of('Unit', 'old'), await of('Unit', 'new'), await of('Lint', 'clean')];
  await restoreCopies(folders, artefacts, blobs);
  const read = (name: string) => readFileSync(join(jobDir, 'test-outputs', name), 'utf8');
  assert.equal(read('unit.txt'), 'new');
  assert.equal(read('lint.txt'), 'clean');
  writeFileSync(join(jobDir, 'test-outputs', 'lint.txt'), 'noted');
  await restoreCopies(folders, artefacts, blobs);
  assert.is(read('lint.txt'), 'noted');
});

test('a copy is written over no checkout and through no link', async () => {
  assert.is(await copy('report-md', 'R', 'x', { jobDir, checkout: 'reports' }), null);
  mkdirSync(join(home, 'elsewhere'));
  symlinkSync(join(home, 'elsewhere'), join(jobDir, 'reports'));
  assert.is(await copy('report-md', 'R', 'x'), null);
  assert.equal(readdirSync(join(home, 'elsewhere')), []);
  linkSync(join(home, 'outside.txt'), join(jobDir, 'plan', 'other.md'));
  assert.is(await copy('plan-md', 'Other', 'new'), 'plan/other.md');
  assert.is(readFileSync(join(home, 'outside.txt'), 'utf8'), 'outside');
});

test.after(() => rmSync(home, { recursive: true, force: true }));

test.run();
