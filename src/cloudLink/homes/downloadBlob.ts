import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { HomeClient } from './homeClient.ts';
import type { Patience } from './runnerRequests.ts';

/**
 * Fetches a file that was uploaded with this hash into `file`, synced. false = the bytes are others, and nothing is
 * left. Throws SvcError `not-found`.
 */
export async function downloadBlob(
  client: Pick<HomeClient, 'readBlob'>,
  sha256: string,
  file: string,
  patience: Patience,
): Promise<boolean> {
  const hash = createHash('sha256');
  let isKept = false;
  const handle = await open(file, 'w', 0o600);
  try {
    for await (const piece of client.readBlob(sha256, patience)) {
      hash.update(piece);
      await handle.writeFile(piece);
    }
    await handle.sync();
    isKept = hash.digest('hex') === sha256;
  } finally {
    await handle.close();
    if (!isKept) await rm(file, { force: true });
  }
  return isKept;
}
