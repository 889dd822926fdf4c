import { open } from 'node:fs/promises';

/** Writes a file (0600) whose bytes are on the disk when it resolves. Replaces an earlier one in its place. */
export async function writeFileSynced(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
