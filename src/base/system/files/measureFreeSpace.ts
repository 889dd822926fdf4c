import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

async function readFreeSpace(folder: string): Promise<number> {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const { bavail, bsize } = await statfs(at);
      return bavail * bsize;
    } catch (error) {
      if (at === dirname(at)) throw error;
    }
  }
}

/**
 * Those who ask about the same folder share one reading until it has answered: one that hangs, as on a disk
 * of a network, occupies one of the four threads with which the process reads files.
 */
export function shareReadings<Value>(
  read: (folder: string) => Promise<Value>,
): (folder: string) => Promise<Value> {
  const open = new Map<string, Promise<Value>>();
  return (folder) => {
    const pending = open.get(folder);
    if (pending) return pending;
    const reading = read(folder).finally(() => open.delete(folder));
    open.set(folder, reading);
    return reading;
  };
}

/**
 * What this user may still write to the disk of a folder, bytes; of the nearest folder above where
 * it does not exist yet. Rejects with the error of the system where none can be read.
 */
export const measureFreeSpace = shareReadings(readFreeSpace);
