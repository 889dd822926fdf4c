import { open, realpath, rename, rm } from 'node:fs/promises';

/** Only its owner reads or writes it. */
const PRIVATE_FILE = 0o600;

/** The target of a link, so that a file that is a link stays one. */
const resolveLinkTarget = (file: string): Promise<string> => realpath(file).catch(() => file);

/**
 * Replaces a file with a whole text, or other bytes: on disk, mode 0600 from its first byte on, and no reader ever
 * sees half of it. `draftName` is an ending that no other file beside it has. `isAllowed` is called just
 * before the old file is replaced, and may throw. Rejects with that or the system's error; the old file
 * is then kept.
 */
export async function writePrivateFile(
  file: string,
  text: string | Uint8Array,
  draftName: string,
  isAllowed: () => Promise<void> = async () => {},
): Promise<void> {
  const goal = await resolveLinkTarget(file);
  const draft = `${goal}.${draftName}`;
  try {
    const handle = await open(draft, 'wx', PRIVATE_FILE);
    try {
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await isAllowed();
    await rename(draft, goal);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
