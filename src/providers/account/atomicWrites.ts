import { randomUUID } from 'node:crypto';
import { promises } from 'node:fs';
import { dirname, join } from 'node:path';

/** What is needed of `node:fs/promises`. */
type Promises = Pick<typeof promises, 'open' | 'rename' | 'rm'>;

/**
 * Writes a file under a name of its own, syncs it and gives it its place: whoever looks sees all of
 * it or nothing. The library writes objects in place and never writes one again that is there: cut
 * short by a crash, one would stay damaged for ever. `tmp_obj_` is git's own prefix, so `git gc`
 * removes what a crash has left over.
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
