import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeferred } from '../../../../src/base/concurrency/createDeferred.ts';
import { systemClock } from '../../../../src/base/time/clock.ts';
import { MAX_HELD_BLOBS } from '../../../../src/contract/schema/cloud/home.ts';
import type { HomeClient } from '../../../../src/cloudLink/homes/homeClient.ts';
import { withCloudBlobs } from '../../../../src/host/start/homes/cloudBlobs.ts';
import { BlobStore } from '../../../../src/jobs/workspace/blobs.ts';

const test = suite<{ dir: string }>('artefacts of a home whose log is at a control plane');

const turn = () => new Promise(setImmediate);

const BYTES = new TextEncoder().encode('# Plan');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'svc-blobs-'));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

/** A control plane that notes what it is asked, and answers a deletion when the test lets it. */
function openBlobs(dir: string) {
  const calls: string[] = [];
  const stored = new Set<string>();
  const mayDelete = createDeferred<void>();
  const client: Pick<HomeClient, 'hasBlob' | 'putBlob' | 'deleteBlob' | 'listBlobs'> = {
    async hasBlob(hash) {
      calls.push('has');
      return stored.has(hash);
    },
    async putBlob(hash) {
      calls.push('put');
      stored.add(hash);
    },
    async listBlobs(after) {
      const names = [...stored].sort().filter((name) => after === null || name > after);
      return names.slice(0, MAX_HELD_BLOBS);
    },
    async deleteBlob(hash) {
      calls.push('delete');
      await mayDelete.promise;
      stored.delete(hash);
    },
  };
  const place = {
    client: client as HomeClient,
    signal: new AbortController().signal,
    clock: systemClock,
  };
  const blobs = withCloudBlobs(new BlobStore(dir), () => place);
  return { blobs, calls, stored, mayDelete };
}

/** Cleanups spare what was put since the one before. */
const passTwoCleanups = ({ beginCleanup }: { beginCleanup(): void }): void => {
  beginCleanup();
  beginCleanup();
};

test('what the cleanup removes here is deleted there', async ({ dir }) => {
  const { blobs, calls, stored, mayDelete } = openBlobs(dir);
  const { sha256 } = await blobs.put(BYTES);
  assert.is(blobs.drop(sha256), false, 'put since the last cleanup');
  passTwoCleanups(blobs);
  assert.is(blobs.drop(sha256), true);
  mayDelete.resolve();
  await turn();
  assert.equal(calls, ['has', 'put', 'delete']);
  assert.equal([...stored], []);
});

test('the same bytes that come again meanwhile are uploaded after the deletion', async ({
  dir,
}) => {
  const { blobs, calls, stored, mayDelete } = openBlobs(dir);
  const { sha256 } = await blobs.put(BYTES);
  passTwoCleanups(blobs);
  blobs.drop(sha256);
  const again = blobs.put(BYTES);
  while (!existsSync(blobs.path(sha256))) await turn();
  await turn();
  assert.is(calls.at(-1), 'delete', 'nothing is asked until it is deleted');
  mayDelete.resolve();
  await again;
  assert.equal(calls, ['has', 'put', 'delete', 'has', 'put']);
  assert.equal([...stored], [sha256]);
});

test('what the control plane has is listed to its end, also while it is deleted', async ({
  dir,
}) => {
  const { blobs, stored, mayDelete } = openBlobs(dir);
  mayDelete.resolve();
  for (let n = 0; n < 2.5 * MAX_HELD_BLOBS; n += 1) stored.add(String(n).padStart(64, '0'));
  let count = 0;
  for await (const hash of blobs.listElsewhere()) {
    count += 1;
    if (count % 2 === 0) blobs.drop(hash);
  }
  assert.equal([count, stored.size], [250, 125]);
});

test('nothing is listed while the control plane is away', async ({ dir }) => {
  const client: Pick<HomeClient, 'listBlobs'> = {
    listBlobs: () => Promise.reject(new Error('away')),
  };
  const place = {
    client: client as HomeClient,
    signal: new AbortController().signal,
    clock: systemClock,
  };
  const blobs = withCloudBlobs(new BlobStore(dir), () => place);
  for await (const hash of blobs.listElsewhere()) assert.unreachable(hash);
});

test.run();
