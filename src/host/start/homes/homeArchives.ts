import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import { makeFolder } from '../../../base/system/files/makeFolder.ts';
import { downloadBlob } from '../../../cloudLink/homes/downloadBlob.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import type { OpenStore } from '../../../jobs/store/openStore.ts';
import { DRAFT, parseArchiveName } from '../../../kernel/sqlite/archive/archiveFile.ts';
import { resolveArchiveDir } from '../../../kernel/sqlite/openKernelStore.ts';

const FOLDER_MODE = 0o700;

/** The files of archived logs that a state names. */
export function listArchives(
  store: Pick<OpenStore, 'db'>,
  stateDb: string,
): { path: string; sha256: string }[] {
  const dir = resolveArchiveDir(stateDb);
  return store.db
    .all('SELECT file, sha256 FROM archives WHERE removed_at IS NULL')
    .map(({ file, sha256: hash }) => ({ file: String(file), sha256: String(hash) }))
    .filter(({ file }) => basename(file) === file && parseArchiveName(file) !== null)
    .map(({ file, sha256: hash }) => ({ path: join(dir, file), sha256: hash }));
}

/** Fetches the archived logs that this disk lacks, as after a move to an empty one. */
export async function fetchArchives(
  client: HomeClient,
  store: Pick<OpenStore, 'db'>,
  stateDb: string,
  patience: Patience,
): Promise<void> {
  for (const { path, sha256: hash } of listArchives(store, stateDb)) {
    if (existsSync(path)) continue;
    try {
      await makeFolder(dirname(path), FOLDER_MODE);
      if (await downloadBlob(client, hash, `${path}${DRAFT}`, patience))
        await rename(`${path}${DRAFT}`, path);
    } catch (error) {
      // Readers say that it is missing.
      if (!(error instanceof SvcError) || error.code !== 'not-found') throw error;
    }
  }
}
