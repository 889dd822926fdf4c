import { mkdirSync, mkdtempSync, readlinkSync, symlinkSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linkCaches } from '../../../../src/jobs/workspace/checkouts/linkCaches.ts';

const test = suite('caches that checkouts share');

const createPlace = () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-caches-'));
  const home = join(dir, 'job', 'home');
  mkdirSync(home, { recursive: true });
  return { dir, home, shared: join(dir, 'caches', '.cache', 'tool') };
};

test('a cache is a link in HOME to a folder that exists, as often as it is made', async () => {
  const { home, shared } = createPlace();
  const link = join(home, '.cache', 'tool');
  assert.equal(await linkCaches(home, [{ shared, link }]), []);
  assert.equal(await linkCaches(home, [{ shared, link }]), []);
  assert.is(readlinkSync(link), shared);
  assert.ok(existsSync(shared));
});

test('what an agent has at the place stays, and the reason is named', async () => {
  const { home, shared } = createPlace();
  const link = join(home, '.tool');
  mkdirSync(link);
  assert.is((await linkCaches(home, [{ shared, link }])).length, 1);
});

test('no folder is made through a link of an agent', async () => {
  const { dir, home, shared } = createPlace();
  const elsewhere = join(dir, 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, join(home, '.cache'));
  const problems = await linkCaches(home, [{ shared, link: join(home, '.cache', 'a', 'tool') }]);
  assert.is(problems.length, 1);
  assert.not(existsSync(join(elsewhere, 'a')));
});

test.run();
