import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it, each with `mode`; one that exists stays as it is. Folder by
 * folder, because Node's own recursive mkdir never returns on file systems that refuse new folders
 * with ENOENT, such as /proc. Rejects as `mkdir` does, with ENOTDIR for a file on the way.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const missing: string[] = [];
  for (let at = resolve(path); ; at = dirname(at)) {
    const stats = await stat(at).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && at !== dirname(at)) return null;
      throw error;
    });
    if (stats?.isDirectory()) break;
    if (stats)
      throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${at}'`), {
        code: 'ENOTDIR',
      });
    missing.unshift(at);
  }
  for (const folder of missing)
    await mkdir(folder, { mode }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
}
