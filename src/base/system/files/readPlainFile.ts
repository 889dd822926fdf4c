import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** A link is not followed, and a pipe does not make its reader wait. */
const ONLY_A_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Reads a file that others write to; null = missing, no plain file, too large or unreadable. */
export async function readPlainFile(path: string, maxBytes: number): Promise<string | null> {
  const file = await open(path, ONLY_A_FILE).catch(() => null);
  if (file === null) return null;
  try {
    const stats = await file.stat();
    return stats.isFile() && stats.size <= maxBytes ? await file.readFile('utf8') : null;
  } catch {
    return null;
  } finally {
    await file.close();
  }
}
