import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * What this user may still write to the disk of a folder, bytes; of the nearest folder above where
 * it does not exist yet. Rejects with the error of the system where none can be read.
 */
export async function freeSpace(folder: string): Promise<number> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const { bavail, bsize } = await statfs(at);
      return bavail * bsize;
    } catch (error) {
      if (at === dirname(at)) throw error;
    }
  }
}
