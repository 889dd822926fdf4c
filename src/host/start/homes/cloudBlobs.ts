import { existsSync } from 'node:fs';
import { SvcError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import { uploadBlob } from '../../../cloudLink/homes/uploadBlob.ts';
import { MAX_HELD_BLOBS } from '../../../contract/schema/cloud/home.ts';
import type { Blobs } from '../../../jobs/workspace/blobs.ts';

/** How long one part of an artefact waits for a control plane that is away, ms; then its tool call is refused. */
const UPLOAD_MS = 120_000;
/** How long the control plane may take to delete one that was removed here, ms. */
const DELETE_MS = 60_000;
/** How long a reader waits for one that this disk does not have, ms. */
const FETCH_MS = 15_000;

export interface BlobPlace {
  client: HomeClient;
  signal: AbortSignal;
  clock: Clock;
}

/**
 * Artefacts of a home whose log is at a control plane: it has the bytes before a commit names them, what this disk lacks
 * is fetched from there, and what the cleanup removes here is deleted there. `place`: null = the home is local just now.
 */
export function withCloudBlobs(local: Blobs, place: () => BlobPlace | null): Blobs {
  /** Deletions on their way. One that came after an upload of the same bytes would delete what a row names. */
  const deleting = new Map<string, Promise<void>>();
  const upload = async (blob: { sha256: string; size: number }) => {
    const at = place();
    if (at === null) return blob;
    await deleting.get(blob.sha256);
    const { client, signal, clock } = at;
    await uploadBlob(client, blob.sha256, local.path(blob.sha256), () => ({
      signal,
      until: clock.now() + UPLOAD_MS,
    }));
    return blob;
  };
  const bring = async (hash: string): Promise<void> => {
    const at = place();
    if (at === null || existsSync(local.path(hash))) return;
    try {
      const until = at.clock.now() + FETCH_MS;
      // A row of the log may name what it likes: bytes are kept under their own name.
      await local.putPieces(at.client.readBlob(hash, { signal: at.signal, until }));
    } catch (error) {
      // As for any artefact whose bytes are gone: its reader reports it.
      if (!(error instanceof SvcError) || error.code !== 'not-found') throw error;
    }
  };
  const forget = (hash: string): void => {
    const at = place();
    if (at === null) return;
    const patience = { signal: at.signal, until: at.clock.now() + DELETE_MS };
    // Where it fails, the bytes stay there until a cleanup finds them again.
    const deletion = at.client
      .deleteBlob(hash, patience)
      .catch(() => undefined)
      .finally(() => deleting.delete(hash));
    deleting.set(hash, deletion);
  };
  async function* listElsewhere(): AsyncGenerator<string> {
    const at = place();
    if (at === null) return;
    try {
      for (let after: string | null = null; ; ) {
        const until = at.clock.now() + FETCH_MS;
        const page: string[] = await at.client.listBlobs(after, { signal: at.signal, until });
        yield* page;
        // So many deletions at once, and no more.
        await Promise.all(deleting.values());
        after = page.at(-1) ?? null;
        if (page.length < MAX_HELD_BLOBS) return;
      }
    } catch {
      // Away: the next cleanup asks again.
    }
  }
  return {
    put: async (bytes) => upload(await local.put(bytes)),
    putPieces: async (pieces) => upload(await local.putPieces(pieces)),
    path: (hash) => local.path(hash),
    bring,
    async page(hash, offset, secrets) {
      await bring(hash);
      return local.page(hash, offset, secrets);
    },
    listAll: () => local.listAll(),
    listElsewhere,
    beginCleanup: () => local.beginCleanup(),
    drop(hash) {
      const isDropped = local.drop(hash);
      if (isDropped) forget(hash);
      return isDropped;
    },
  };
}
