import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_LOOKED_AT = 20_000;

const AT_TOP = /^(?:index|HEAD|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD|config|shallow|packed-refs)\.lock$/;
/** Folders below which every file that ends with .lock is one: no branch may be named so. */
const BELOW = /^(?:refs|logs|worktrees|modules)$/;

/**
 * Removes locks that a killed git has left in the checkouts of a job; answers their paths. To be
 * called while no process of the job is alive, so that each lock is stale. Links are not followed.
 * Never rejects: a lock that cannot be removed stays.
 */
export async function removeStaleLocks(jobDir: string): Promise<string[]> {
  const removedLocks: string[] = [];
  let remaining = MAX_LOOKED_AT;
  const remove = async (path: string): Promise<void> => {
    try {
      await rm(path);
      removedLocks.push(path);
    } catch {
      // The lock stays, and the agent's git reports it.
    }
  };
  const look = async (folder: string, isTop: boolean): Promise<void> => {
    for (const entry of await listDirectoryEntries(folder)) {
      if (--remaining < 0) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!isTop || BELOW.test(entry.name)) await look(path, false);
      } else if (
        entry.isFile() &&
        (isTop ? AT_TOP.test(entry.name) : entry.name.endsWith('.lock'))
      ) {
        await remove(path);
      }
    }
  };
  for (const { name } of await listDirectoryEntries(jobDir)) {
    const gitDir = join(jobDir, name, '.git');
    // Links are skipped: one could lead to a repository that is not the job's.
    const places = await Promise.all(
      [join(jobDir, name), gitDir].map((path) => lstat(path).catch(() => null)),
    );
    if (places.every((place) => place?.isDirectory())) await look(gitDir, true);
  }
  return removedLocks;
}

const listDirectoryEntries = (folder: string) =>
  readdir(folder, { withFileTypes: true }).catch(() => []);
