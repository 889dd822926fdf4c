import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { sleep } from '../../../base/time/waiting.ts';
import { makeFolder } from '../../../base/system/files/makeFolder.ts';
import { downloadBlob } from '../../../cloudLink/homes/downloadBlob.ts';
import type { HomeClient } from '../../../cloudLink/homes/homeClient.ts';
import type { Patience } from '../../../cloudLink/homes/runnerRequests.ts';
import type { OpenStore } from '../../../jobs/store/openStore.ts';
import { DRAFT, parseArchiveName } from '../../../kernel/sqlite/archive/archiveFile.ts';
import { resolveArchiveDir } from '../../../kernel/sqlite/openKernelStore.ts';

const FOLDER_MODE = 0o700;

/** What is read of a store. */
interface StateRows {
  db: Pick<OpenStore['db'], 'all'>;
}

/** The files of archived logs that a state names. */
export function listArchives(
  store: StateRows,
  stateDb: string,
): { path: string; sha256: string }[] {
  const dir = resolveArchiveDir(stateDb);
  return store.db
    .all('SELECT file, sha256 FROM archives WHERE removed_at IS NULL')
    .map(({ file, sha256: hash }) => ({ file: String(file), sha256: String(hash) }))
    .filter(({ file }) => basename(file) === file && parseArchiveName(file) !== null)
    .map(({ file, sha256: hash }) => ({ path: join(dir, file), sha256: hash }));
}

/** First and longest wait before archives are fetched again whose bytes have broken off, ms. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

export interface ArchiveFetch {
  client: Pick<HomeClient, 'readBlob'>;
  store: StateRows;
  stateDb: string;
  patience: Patience;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
}

type Archive = ReturnType<typeof listArchives>[number];

async function fetchArchive(
  { client, patience }: ArchiveFetch,
  { path, sha256 }: Archive,
): Promise<void> {
  try {
    await makeFolder(dirname(path), FOLDER_MODE);
    if (await downloadBlob(client, sha256, `${path}${DRAFT}`, patience))
      await rename(`${path}${DRAFT}`, path);
  } catch (error) {
    // Readers say that it is missing.
    if (!(error instanceof SvcError) || error.code !== 'not-found') throw error;
  }
}

/**
 * Fetches the archived logs that this disk lacks, as after a move to an empty one. One that fails holds up no other and
 * is tried again, until the signal. Never rejects.
 */
export async function fetchArchives(parts: ArchiveFetch): Promise<void> {
  const { store, stateDb, patience, clock, log } = parts;
  const { signal } = patience;
  let missing = listArchives(store, stateDb).filter(({ path }) => !existsSync(path));
  for (let wait = FIRST_RETRY_MS; ; wait = Math.min(2 * wait, LONGEST_RETRY_MS)) {
    const failedArchives: Archive[] = [];
    for (const archive of missing) {
      if (signal.aborted) return;
      await fetchArchive(parts, archive).catch((err: unknown) => {
        failedArchives.push(archive);
        if (!signal.aborted)
          log.warn(
            { err, path: archive.path },
            'an archived log could not be fetched; it is tried again',
          );
      });
    }
    missing = failedArchives;
    if (missing.length === 0) return;
    await sleep(clock, wait, signal);
  }
}
