import { randomUUID } from 'node:crypto';
import { promises } from 'node:fs';
import { dirname, join } from 'node:path';

/** What is needed of `node:fs/promises`. */
type Promises = Pick<typeof promises, 'open' | 'rename' | 'rm'>;

/**
 * Writes a file under a temporary name, syncs it and renames it: readers see all of it or nothing.
 * The library writes objects in place and never writes an existing one again: one that a crash cut
 * short would stay damaged forever. `tmp_obj_` is git's own prefix, so `git gc` removes what a
 * crash left behind.
 */
export const atomicWrite =
  ({ open, rename, rm }: Promises) =>
  async (file: string, data: Uint8Array | string): Promise<void> => {
    const draft = join(dirname(file), `tmp_obj_${randomUUID()}`);
    try {
      const handle = await open(draft, 'wx', 0o444);
      try {
        await handle.writeFile(data);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  };

/** The file system as isomorphic-git gets it. */
export const objectFs = { promises: { ...promises, writeFile: atomicWrite(promises) } };
