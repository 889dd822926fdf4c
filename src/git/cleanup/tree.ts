import { chmod, lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

export interface TreeView {
  bytes: number;
  repository: string | null;
}

/**
 * Looks through a folder, or at a file; links are counted and never followed. What cannot be read
 * counts as empty.
 */
export async function surveyTree(dir: string): Promise<TreeView> {
  const root = await lstat(dir).catch(() => null);
  const view: TreeView = { bytes: root?.isDirectory() ? 0 : (root?.size ?? 0), repository: null };
  const waiting = ['.'];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entries = await readdir(join(dir, path), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const inner = join(path, entry.name);
      if (entry.name === '.git') view.repository ??= path;
      if (entry.isDirectory()) waiting.push(inner);
      else view.bytes += (await lstat(join(dir, inner)).catch(() => null))?.size ?? 0;
    }
  }
  return view;
}

/**
 * Gives the owner access to every folder; some tools remove the right to write from what they have
 * fetched.
 */
async function openFolders(dir: string): Promise<void> {
  await chmod(dir, 0o700);
  for (const entry of await readdir(dir, { withFileTypes: true }))
    if (entry.isDirectory()) await openFolders(join(dir, entry.name));
}

/** Removes a folder or file; a link is removed, never what it leads to. Rejects where it cannot. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    if ((await lstat(path)).isDirectory()) await openFolders(path);
    await rm(path, { recursive: true, force: true });
  }
}
