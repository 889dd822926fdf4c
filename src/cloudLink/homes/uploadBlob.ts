import { open } from 'node:fs/promises';
import { BLOB_PART_BYTES } from '../../contract/schema/cloud/home.ts';
import type { HomeClient } from './homeClient.ts';
import type { Patience } from './runnerRequests.ts';

/**
 * Uploads a file, unless the control plane has it: one above 1 MiB in parts, each with a patience of its own. So a slow
 * line gets any file through, and one that has stopped ends the upload.
 */
export async function uploadBlob(
  client: Pick<HomeClient, 'hasBlob' | 'putBlob'>,
  sha256: string,
  file: string,
  createPatience: () => Patience,
): Promise<void> {
  if (await client.hasBlob(sha256, createPatience())) return;
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const isInParts = size > BLOB_PART_BYTES;
    for (let from = 0; from === 0 || from < size; from += BLOB_PART_BYTES) {
      const { bytesRead, buffer } = await handle.read({
        buffer: Buffer.alloc(BLOB_PART_BYTES),
        position: from,
      });
      const range = isInParts ? `bytes ${from}-${from + bytesRead - 1}/${size}` : null;
      await client.putBlob(sha256, buffer.subarray(0, bytesRead), range, createPatience());
    }
  } finally {
    await handle.close();
  }
}
