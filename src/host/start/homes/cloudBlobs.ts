import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { sha256 } from '../../../base/system/ids/ids.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Blobs } from '../../../jobs/workspace/blobs.ts';

/** How long an artefact waits for a control plane that is away, ms; then its tool call is refused. */
const UPLOAD_MS = 120_000;
/** How long a reader waits for one that this disk does not have, ms. */
const FETCH_MS = 15_000;

export interface BlobPlace {
  client: HomeClient;
  signal: AbortSignal;
  clock: Clock;
}

/** Uploads the bytes of one artefact, unless the control plane has them. */
export async function uploadBlob(
  client: HomeClient,
  hash: string,
  file: string,
  patience: Parameters<HomeClient['putBlob']>[2],
): Promise<void> {
  if (await client.hasBlob(hash, patience)) return;
  await client.putBlob(hash, await readFile(file), patience);
}

/**
 * Artefacts of a home whose log is at a control plane: it has the bytes before a commit names them, and what this disk
 * lacks is fetched from there. `place`: null = the home is local just now.
 */
export function withCloudBlobs(local: Blobs, place: () => BlobPlace | null): Blobs {
  const upload = async (stored: { sha256: string; size: number }) => {
    const at = place();
    if (at === null) return stored;
    const until = at.clock.now() + UPLOAD_MS;
    await uploadBlob(at.client, stored.sha256, local.path(stored.sha256), {
      signal: at.signal,
      until,
    });
    return stored;
  };
  const bring = async (hash: string): Promise<void> => {
    const at = place();
    if (at === null || existsSync(local.path(hash))) return;
    try {
      const until = at.clock.now() + FETCH_MS;
      const bytes = await at.client.readBlob(hash, { signal: at.signal, until });
      // A row of the log may name what it likes; bytes that are others are not kept under its name.
      if (sha256(bytes) === hash) await local.put(bytes);
    } catch (error) {
      // As for any artefact whose bytes are gone: its reader reports it.
      if (!(error instanceof SvcError) || error.code !== 'not-found') throw error;
    }
  };
  return {
    put: async (bytes) => upload(await local.put(bytes)),
    putPieces: async (pieces) => upload(await local.putPieces(pieces)),
    path: (hash) => local.path(hash),
    bring,
    async page(hash, offset, secrets) {
      await bring(hash);
      return local.page(hash, offset, secrets);
    },
    all: () => local.all(),
    beginCleanup: () => local.beginCleanup(),
    drop: (hash) => local.drop(hash),
  };
}
