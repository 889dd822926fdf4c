import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KeyedQueue } from '../../base/concurrency/keyedQueue.ts';
import type { Overlay } from './mergeLayers.ts';

const FILE_MODE = 0o644;

async function isRealFolder(path: string): Promise<boolean> {
  const entry = await lstat(path).catch(() => null);
  return entry?.isDirectory() ?? false;
}

/**
 * Whether the folder holds exactly the overlay. Agents can write there, so the recorded hash alone
 * proves nothing.
 */
async function holdsExactOverlay(dir: string, overlay: Overlay): Promise<boolean> {
  if (!(await isRealFolder(dir))) return false;
  let foundCount = 0;
  const walk = async (prefix: string): Promise<boolean> => {
    for (const entry of await readdir(join(dir, prefix), { withFileTypes: true })) {
      const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!(await walk(path))) return false;
        continue;
      }
      const overlayFile = overlay.files.get(path);
      if (
        !overlayFile ||
        !entry.isFile() ||
        !(await readFile(join(dir, path))).equals(overlayFile.bytes)
      )
        return false;
      foundCount += 1;
    }
    return true;
  };
  return (await walk('')) && foundCount === overlay.files.size;
}

async function writeOverlayFiles(dir: string, overlay: Overlay): Promise<void> {
  // Not recursive, so that a link under this name is not followed.
  await mkdir(dir);
  for (const [path, { bytes }] of overlay.files) {
    const file = join(dir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes, { mode: FILE_MODE });
  }
}

const removeAll = (path: string) => rm(path, { recursive: true, force: true });

/** Two phases of a job may be prepared at once if one was paused and resumed meanwhile. */
const turns = new KeyedQueue();

/**
 * Makes `dir` hold exactly the overlay, always under the same path and never in part. Does nothing
 * if it already does. The next call repairs the result of a crash at any moment: the new tree is
 * written as `<dir>.next`, the old one is renamed to `<dir>.old`, and `<dir>.hash` exists only
 * while `dir` holds that hash. Calls for the same folder take turns.
 */
export const materialise = (overlay: Overlay, dir: string): Promise<MaterialisedFolder> =>
  turns.run(dir, () => replaceWith(overlay, dir));

/**
 * Removes what {@link materialise} has written, in turn with it, unless `isUnused` is false by
 * then. The next call of either repairs the result of a crash.
 */
export const removeMaterialised = (dir: string, isUnused: () => boolean): Promise<void> =>
  turns.run(dir, async () => {
    if (!isUnused()) return;
    // The hash first: it exists only while the folder holds the overlay.
    for (const path of [`${dir}.hash`, dir, `${dir}.next`, `${dir}.old`]) await removeAll(path);
  });

interface MaterialisedFolder {
  hash: string;
  /** False if the folder held it already. */
  changed: boolean;
}

async function replaceWith(overlay: Overlay, dir: string): Promise<MaterialisedFolder> {
  const [next, old, hashFile] = [`${dir}.next`, `${dir}.old`, `${dir}.hash`];
  const recordedHash = await readFile(hashFile, 'utf8').catch(() => null);
  if (recordedHash?.trim() === overlay.hash && (await holdsExactOverlay(dir, overlay))) {
    await removeAll(next);
    await removeAll(old);
    return { hash: overlay.hash, changed: false };
  }
  await mkdir(dirname(dir), { recursive: true });
  await removeAll(next);
  await writeOverlayFiles(next, overlay);
  await removeAll(hashFile);
  await removeAll(old);
  if ((await lstat(dir).catch(() => null)) !== null) await rename(dir, old);
  await rename(next, dir);
  await writeFile(hashFile, `${overlay.hash}\n`, { mode: FILE_MODE });
  await removeAll(old);
  return { hash: overlay.hash, changed: true };
}
