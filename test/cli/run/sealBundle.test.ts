import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readBundleManifest } from '../../../cli/local/run/bundle/unpackBundle.ts';
import { openSealedBundle, readBundleKey } from '../../../cli/local/run/bundle/sealBundle.ts';
import {
  type BundleSummary,
  writeJobBundle,
} from '../../../cli/local/run/bundle/writeJobBundle.ts';
import { longLane } from '../../support/longLane.ts';
import { catchRefusal } from '../../support/refusal.ts';

const KEY = 'a key of the pipeline';
const ABOUT: BundleSummary = {
  format: 2,
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

const test = suite<{ dir: string; kept: string; home: string }>('svc run: an encrypted bundle');
const long = longLane(test);

/** An encrypted bundle that tests copy: each encryption and decryption derives the key again, which is slow on purpose. */
const sealed = mkdtempSync(join(tmpdir(), 'svc-sealed-'));
test.before(async () => {
  const home = join(sealed, 'home');
  mkdirSync(home);
  writeFileSync(join(home, 'state.db'), 'the plan of the job'.repeat(10_000));
  await writeJobBundle(join(sealed, 'kept'), home, ABOUT, [], KEY);
});
test.after(() => rmSync(sealed, { recursive: true, force: true }));

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-seal-'));
  context.home = join(context.dir, 'home');
  context.kept = join(context.dir, 'kept');
  cpSync(join(sealed, 'home'), context.home, { recursive: true });
  cpSync(join(sealed, 'kept'), context.kept, { recursive: true });
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

/** Why the bundle is refused. */
const catchOpenError = (kept: string, key: string | null) =>
  catchRefusal(() => openSealedBundle(kept, key)).then(({ message }) => message);

test('it is what was kept, and removed again', async ({ kept, home, dir }) => {
  await writeJobBundle(join(dir, 'plain'), home, ABOUT, []);
  const opened = await openSealedBundle(kept, KEY);
  assert.equal(await readBundleManifest(opened.dir), await readBundleManifest(join(dir, 'plain')));
  assert.ok(
    readFileSync(join(opened.dir, 'files.gz')).equals(readFileSync(join(dir, 'plain', 'files.gz'))),
  );
  await opened.remove();
  assert.throws(() => readdirSync(opened.dir));
});

test('its folder shows nothing of the job but whether it has ended', ({ kept }) => {
  assert.equal(readdirSync(kept).sort(), ['sealed.bin', 'sealed.json']);
  assert.is(JSON.parse(readFileSync(join(kept, 'sealed.json'), 'utf8')).ended, null);
  assert.not(readFileSync(join(kept, 'sealed.bin')).includes('shop-job-1'));
});

test('the same job is never encrypted alike', async ({ kept, home }) => {
  const first = readFileSync(join(kept, 'sealed.bin'));
  await writeJobBundle(kept, home, ABOUT, [], KEY);
  assert.not(readFileSync(join(kept, 'sealed.bin')).equals(first));
});

const flip = (file: string, at: number): void => {
  const bytes = readFileSync(file);
  const place = at < 0 ? bytes.length + at : at;
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  writeFileSync(file, bytes);
};

const DAMAGE: readonly [name: string, act: (kept: string) => void][] = [
  ['its first byte', (kept) => flip(join(kept, 'sealed.bin'), 0)],
  ['its last byte', (kept) => flip(join(kept, 'sealed.bin'), -1)],
  [
    'its end',
    (kept) => {
      const file = join(kept, 'sealed.bin');
      writeFileSync(file, readFileSync(file).subarray(0, -5));
    },
  ],
  ['all of it', (kept) => writeFileSync(join(kept, 'sealed.bin'), '')],
  ['its content', (kept) => rmSync(join(kept, 'sealed.bin'))],
  [
    'what it says of its end',
    (kept) => {
      const file = join(kept, 'sealed.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('null', '0'));
    },
  ],
  ['its head', (kept) => writeFileSync(join(kept, 'sealed.json'), '{"format":1}')],
];

/** One of each kind: a file, what is authenticated beside it, the head. */
const SHORT = ['its content', 'what it says of its end', 'its head'];

for (const [name, damage] of DAMAGE)
  (SHORT.includes(name) ? test : long)(
    `one is refused of which was changed: ${name}`,
    async ({ kept }) => {
      damage(kept);
      assert.match(await catchOpenError(kept, KEY), /was truncated or changed\. Nothing was used/);
    },
  );

test('one of another key is refused', async ({ kept }) => {
  assert.match(await catchOpenError(kept, `${KEY}!`), /encrypted with another SVC_BUNDLE_KEY/);
});

test('without a key it names the variable', async ({ kept }) => {
  assert.match(await catchOpenError(kept, null), /is encrypted\. Set SVC_BUNDLE_KEY/);
});

test('one that is not encrypted is refused where a key is set', async ({ dir, home }) => {
  const kept = join(dir, 'plain');
  await writeJobBundle(kept, home, ABOUT, []);
  assert.match(await catchOpenError(kept, KEY), /is not encrypted, and SVC_BUNDLE_KEY is set/);
});

test('one of a newer format asks for a newer svc', async ({ kept }) => {
  const file = join(kept, 'sealed.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"format": 1', '"format": 2'));
  assert.match(await catchOpenError(kept, KEY), /format 2, and this svc reads 1/);
});

test('a short key is refused', () => {
  assert.throws(() => readBundleKey({ SVC_BUNDLE_KEY: 'short' }), /fewer than 16 characters/);
});

test('an empty key is none', () => {
  assert.is(readBundleKey({ SVC_BUNDLE_KEY: ' ' }), null);
});

test.run();
