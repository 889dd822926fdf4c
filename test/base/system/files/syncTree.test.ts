import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { syncTree } from '../../../../src/base/system/files/syncTree.ts';

// Runs in a process of its own: it counts the syncs of all files.
const test = suite('a folder and all below it are on the disk');

let folder: string;

test.before.each(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-sync-tree-'));
});
test.after.each(() => rm(folder, { recursive: true, force: true }));

test('every file and folder is synced once', async () => {
  await mkdir(join(folder, 'base', '1'), { recursive: true });
  const files = ['PG_VERSION', 'base/1/112', 'base/1/113'];
  for (const file of files) await writeFile(join(folder, file), file);
  const handle = await open(join(folder, 'PG_VERSION'));
  const handles: { sync(): Promise<void> } = Object.getPrototypeOf(handle);
  await handle.close();
  const { sync } = handles;
  let count = 0;
  handles.sync = function (this: unknown) {
    count += 1;
    return sync.call(this);
  };
  try {
    await syncTree(folder);
  } finally {
    handles.sync = sync;
  }
  assert.is(count, files.length + ['', 'base', 'base/1'].length);
});

test('a folder that does not exist is an error', async () => {
  const code = await syncTree(join(folder, 'missing')).catch((error) => error.code);
  assert.is(code, 'ENOENT');
});

test.run();
