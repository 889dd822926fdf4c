import { type FileHandle, open } from 'node:fs/promises';

/** What Windows says of a folder that is opened: it writes names at once. */
const NO_FOLDERS: ReadonlySet<unknown> = new Set(['EISDIR', 'EPERM']);

/** Waits until the names in a folder are on the disk, so that a file that was renamed keeps its name. */
export async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle;
  try {
    folder = await open(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_FOLDERS.has(error.code)) return;
    throw error;
  }
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
