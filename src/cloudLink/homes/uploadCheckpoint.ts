import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { sha256 } from '../../base/system/ids/ids.ts';
import { CHECKPOINT_PART_BYTES } from '../../contract/schema/cloud/home.ts';
import type { HomeClient } from './homeClient.ts';
import type { Patience } from './runnerRequests.ts';

/** A compressed copy of the state, on this disk. */
export interface CheckpointFile {
  /** Path of the compressed copy. */
  file: string;
  n: number;
  hash: string;
  storeVersion: number;
}

/** What takes the copy at the control plane. */
export type CheckpointTaker = Pick<HomeClient, 'listParts' | 'putPart' | 'completeCheckpoint'>;

/**
 * Uploads a copy in parts of 1 MiB, and completes it: from then on it counts. What an earlier attempt has uploaded is
 * not sent again. Resolves with its size in bytes.
 */
export async function uploadCheckpoint(
  client: CheckpointTaker,
  { file, n, hash, storeVersion }: CheckpointFile,
  patience: Patience,
): Promise<number> {
  const uploadedParts = await client.listParts(n, patience);
  const whole = createHash('sha256');
  const handle = await open(file, 'r');
  let bytes = 0;
  let parts = 0;
  try {
    for (;;) {
      const { bytesRead, buffer } = await handle.read({
        buffer: Buffer.alloc(CHECKPOINT_PART_BYTES),
        position: bytes,
      });
      if (bytesRead === 0) break;
      const part = buffer.subarray(0, bytesRead);
      whole.update(part);
      const own = sha256(part);
      if (uploadedParts.get(parts) !== own)
        await client.putPart(n, parts, { bytes: part, sha256: own }, patience);
      bytes += bytesRead;
      parts += 1;
    }
  } finally {
    await handle.close();
  }
  const body = { sha256: whole.digest('hex'), bytes, parts, hash, storeVersion };
  await client.completeCheckpoint(n, body, patience);
  return bytes;
}
