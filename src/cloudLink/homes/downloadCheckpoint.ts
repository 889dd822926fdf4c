import { open, rm, stat } from 'node:fs/promises';
import { SvcError } from '../../base/errors/errors.ts';
import { hashFile } from '../../base/system/files/hashFile.ts';
import type { HomeState } from '../../contract/schema/cloud/home.ts';
import type { HomeClient } from './homeClient.ts';
import type { Patience } from './runnerRequests.ts';

type HomeCheckpoint = NonNullable<HomeState['checkpoint']>;

/** Attempts to read on where an answer broke off without a byte. */
const MOST_ATTEMPTS = 5;

/**
 * Fetches a checkpoint into `file`, continuing what an earlier attempt has left there. Throws SvcError `store-failed`
 * where its bytes are not those that were uploaded; the file is then removed.
 */
export async function downloadCheckpoint(
  client: HomeClient,
  { n, bytes, sha256 }: HomeCheckpoint,
  file: string,
  patience: Patience,
): Promise<void> {
  const handle = await open(file, 'a', 0o600);
  try {
    let has = (await stat(file)).size;
    if (has > bytes) {
      await handle.truncate(0);
      has = 0;
    }
    for (let failureCount = 0; has < bytes; ) {
      const before = has;
      try {
        for await (const piece of client.readCheckpoint(n, has, patience)) {
          await handle.appendFile(piece);
          has += piece.length;
        }
      } catch (error) {
        patience.signal.throwIfAborted();
        failureCount = has > before ? 0 : failureCount + 1;
        if (failureCount === MOST_ATTEMPTS) throw error;
      }
      if (has === before && failureCount === 0) break;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if ((await hashFile(file)) === sha256) return;
  await rm(file);
  throw new SvcError(
    'store-failed',
    `The checkpoint of this home at entry ${n} is damaged at the control plane: its bytes are not those that were uploaded.`,
  );
}
