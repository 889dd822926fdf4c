import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from './syncFolder.ts';

/** Files that are written at the same time: Node's threads. A journal writes what comes together at once. */
const FILES_AT_ONCE = 4;

/** Waits until a folder is on the disk, with all files and folders below it. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const folders = [folder];
  const files: string[] = [];
  for (const entry of entries)
    (entry.isDirectory() ? folders : files).push(join(entry.parentPath, entry.name));
  await syncEach(files, syncFile);
  await syncEach(folders, syncFolder);
}

async function syncEach(
  paths: readonly string[],
  sync: (path: string) => Promise<void>,
): Promise<void> {
  const remainingPaths = paths.values();
  const work = async () => {
    for (const path of remainingPaths) await sync(path);
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, work));
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
