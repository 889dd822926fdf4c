import { mkdir, open, readdir, symlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../base/system/files/syncFolder.ts';
import type { TakenEntry } from './readBackup.ts';

/** Writes an entry of a backup below `folder`; the content of a file is on the disk when it resolves. */
export async function takeEntry(
  folder: string,
  { path, kind, mode, target, modifiedAt }: TakenEntry,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const place = join(folder, path);
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  if (kind === 'folder') await mkdir(place, { recursive: true, mode });
  else if (kind === 'link') await symlink(target, place);
  else {
    await writeSynced(place, mode, content);
    // So that git does not take every file for changed.
    await utimes(place, modifiedAt, modifiedAt);
  }
  if (kind !== 'file') for await (const _ of content);
}

/** Writes a file of this mode; it is on the disk when it resolves, its name is not. */
export async function writeSynced(
  place: string,
  mode: number,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const file = await open(place, 'w', mode);
  try {
    for await (const chunk of content) await file.writeFile(chunk);
    // The mask of this process may have taken permissions.
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Waits until the names of everything in a folder are on the disk. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await syncTree(join(folder, entry.name));
  await syncFolder(folder);
}
