import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_LFS_FILES } from '../../base/settings/checkouts.ts';
import { runGit } from '../runGit.ts';
import { formatPointer } from './lfsPointers.ts';

/** Where git-lfs stores contents, below a folder of git. */
export const toLfsObjectPath = (oid: string): string =>
  join('lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid);

/** Contents of Git LFS in a folder of git. null = more than {@link MAX_LFS_FILES}, or not as git-lfs stores them. */
async function listStoredObjects(gitDir: string): Promise<{ oid: string; size: number }[] | null> {
  const objects: { oid: string; size: number }[] = [];
  const folder = join(gitDir, 'lfs', 'objects');
  const stats = await lstat(folder).catch(() => null);
  if (stats === null) return objects;
  if (!stats.isDirectory()) return null;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const place = join(entry.parentPath, entry.name);
    if (!entry.isFile() || place !== join(gitDir, toLfsObjectPath(entry.name))) return null;
    objects.push({ oid: entry.name, size: (await lstat(place)).size });
    if (objects.length > MAX_LFS_FILES) return null;
  }
  return objects;
}

const toBlobId = (text: string): string =>
  createHash('sha1')
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest('hex');

/**
 * Whether a checkout stores contents of Git LFS that its source has no pointer to, so that they may be nowhere else.
 * `sourceGitDir`: the repository that it was cloned from. No link is followed.
 */
export async function hasOwnLfsObjects(gitDir: string, sourceGitDir: string): Promise<boolean> {
  const objects = await listStoredObjects(gitDir);
  if (objects === null) return true;
  if (objects.length === 0) return false;
  const { stdout } = await runGit(['--git-dir', sourceGitDir, 'cat-file', '--batch-check'], {
    input: objects.map((object) => `${toBlobId(formatPointer(object))}\n`).join(''),
  });
  return / missing$/m.test(stdout);
}
