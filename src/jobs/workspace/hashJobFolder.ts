import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Most files, and most bytes of all of them together, that are read. */
const MAX_FILES = 2_000;
const MAX_BYTES = 33_554_432;

/** Folders of svc and of the agent's program; their files change with every session. */
const NO_WORK = /^(?:[._].*|home|tmp)$/;

/**
 * Hash of the files in the folder of a job without a checkout. Null = too many files, or unreadable
 * ones. Does not follow links. Never rejects.
 */
export async function hashJobFolder(jobDir: string): Promise<string | null> {
  const hash = createHash('sha256');
  let files = 0;
  let bytes = 0;
  const look = async (path: string): Promise<boolean> => {
    const entries = await readdir(join(jobDir, path), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (path === '' && NO_WORK.test(entry.name)) continue;
      const inner = join(path, entry.name);
      if (entry.isDirectory()) {
        if (!(await look(inner))) return false;
      } else if (entry.isFile()) {
        files += 1;
        bytes += (await stat(join(jobDir, inner))).size;
        if (files > MAX_FILES || bytes > MAX_BYTES) return false;
        const content = createHash('sha256').update(await readFile(join(jobDir, inner)));
        hash.update(`${inner}\0${content.digest('hex')}\n`);
      }
    }
    return true;
  };
  try {
    return (await look('')) ? hash.digest('hex') : null;
  } catch {
    // An agent may remove files while they are read.
    return null;
  }
}
