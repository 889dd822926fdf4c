import { SvcError } from '../../../base/errors/errors.ts';
import { isMissingFile } from '../../../base/errors/findErrorCode.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import { uploadBlob } from '../../../cloudLink/homes/uploadBlob.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import { BlobStore } from '../../../jobs/workspace/blobs.ts';
import { listArchives } from './homeArchives.ts';

/** Refusals of a file for what it is: too large, or damaged, so that its bytes are no longer those of its hash. */
const FILE_REFUSALS: ReadonlySet<string> = new Set(['too-large', 'invalid']);

/** Uploads what entries only name: artefacts, and archived logs. What is missing here, damaged or too large stays out. */
export async function uploadHomeFiles(
  client: Pick<HomeClient, 'hasBlob' | 'putBlob'>,
  store: Parameters<typeof listArchives>[0],
  { blobs: folder, stateDb }: Pick<Settings['paths'], 'blobs' | 'stateDb'>,
  patience: Patience,
  log: { warn(facts: object, text: string): void },
): Promise<void> {
  const blobs = new BlobStore(folder);
  const { hashes } = await blobs.listAll();
  const artefacts = hashes.map((sha256) => ({ sha256, path: blobs.path(sha256) }));
  for (const { path, sha256 } of [...artefacts, ...listArchives(store, stateDb)])
    try {
      await uploadBlob(client, sha256, path, () => patience);
    } catch (err) {
      const isRefused = err instanceof SvcError && FILE_REFUSALS.has(err.code);
      if (!isRefused && !isMissingFile(err)) throw err;
      log.warn({ path, err }, 'a file is on this machine alone: the control plane cannot keep it');
    }
}
