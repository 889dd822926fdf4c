import { rename, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SvcError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { sleep } from '../../../base/time/waiting.ts';
import { hashFile } from '../../../base/system/files/hashFile.ts';
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

/** The file of an archived log, as a state names it. */
interface Archive {
  path: string;
  bytes: number;
  sha256: string;
}

/** The files of archived logs that a state names. */
export function listArchives(store: StateRows, stateDb: string): Archive[] {
  const dir = resolveArchiveDir(stateDb);
  return store.db
    .all('SELECT file, bytes, sha256 FROM archives WHERE removed_at IS NULL')
    .filter(({ file }) => basename(String(file)) === file && parseArchiveName(file) !== null)
    .map(({ file, bytes, sha256: hash }) => ({
      path: join(dir, String(file)),
      bytes: Number(bytes),
      sha256: String(hash),
    }));
}

/** First and longest wait before archives are fetched again whose bytes have broken off, ms. */
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

export interface ArchiveFetch {
  client: Pick<HomeClient, 'readBlob'>;
  store: StateRows;
  stateDb: string;
  /** Since when another machine's state is on this disk, epoch ms; null = none has worked on the home. */
  arrivedAt: number | null;
  patience: Patience;
  clock: Clock;
  log: { warn(facts: object, text: string): void };
}

/**
 * Whether the file is the one that the state names. One that is older than the other machine's state may be what is left
 * of an attempt that was never acknowledged: the other machine has archived the same log again.
 */
async function isInPlace(
  { path, bytes, sha256 }: Archive,
  { arrivedAt, clock }: Pick<ArchiveFetch, 'arrivedAt' | 'clock'>,
): Promise<boolean> {
  try {
    const { size, mtimeMs } = await stat(path);
    if (size !== bytes) return false;
    if (arrivedAt === null || mtimeMs > arrivedAt) return true;
    if ((await hashFile(path)) !== sha256) return false;
    // So that the next start need not read it again.
    const now = new Date(clock.now());
    await utimes(path, now, now);
    return true;
  } catch {
    return false;
  }
}

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
 * Fetches the archived logs that this disk lacks, or has with other bytes, as after a move to another machine. One that
 * fails holds up no other and is tried again, until the signal. Never rejects.
 */
export async function fetchArchives(parts: ArchiveFetch): Promise<void> {
  const { store, stateDb, patience, clock, log } = parts;
  const { signal } = patience;
  let missing: Archive[] = [];
  for (const archive of listArchives(store, stateDb)) {
    if (signal.aborted) return;
    if (!(await isInPlace(archive, parts))) missing.push(archive);
  }
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
