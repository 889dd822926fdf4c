import { findErrorCode } from '../../../base/errors/findErrorCode.ts';
import { existsSync } from 'node:fs';
import { toErrorMessage, SvcError } from '../../../base/errors/errors.ts';
import { createStoreFailure } from '../createStoreFailure.ts';
import { hasAllPages } from './hasAllPages.ts';
import { type Doubt, examinePair } from './examinePair.ts';
import { toManifestPath, readHomeId, readPairManifest } from './pairManifest.ts';
import { readDatabaseHead } from './readDatabaseHead.ts';
import { readJournal } from './readJournal.ts';
import { readLog } from './readLog.ts';

export interface PairDoubt {
  doubt: Doubt;
  detail: string;
  fix: string;
}

/**
 * States that this process has open. Their bytes are not read: closing a file ends all locks of the
 * process on it.
 */
const OPEN_HERE = new Set<string>();

/** Until called with `false`, this process does not read the pair. */
export function markOpen(file: string, isOpen: boolean): void {
  if (isOpen) OPEN_HERE.add(file);
  else OPEN_HERE.delete(file);
}

export const isOpenHere = (file: string): boolean => OPEN_HERE.has(file);

const DETAIL: Record<Doubt, (file: string) => string> = {
  'database-gone': (file) => `${file} is missing or empty, and was not when svc wrote it last`,
  'database-cut': (file) => `${file} is truncated`,
  'database-earlier': (file) =>
    `${file} is older than ${toManifestPath(file)} says: later changes would be lost`,
  'database-foreign': (file) =>
    `${file} belongs to another home than ${toManifestPath(file)} or home.json says`,
  'no-database': (file) => `${file} is damaged or not an svc store: file is not a database`,
  'log-gone': (file) =>
    `${file}-wal, the log of ${file}, is missing or empty: what was written last is in it`,
  'log-cut': (file) =>
    `${file}-wal, the log of ${file}, is cut or damaged: commits that were on the disk are missing`,
  'log-foreign': (file) =>
    `${file}-wal is not the log of ${file}: it is from another home or another time`,
  'journal-foreign': (file) => `${file}-journal is not of ${file}`,
};

/** svc cannot see whether this happened. */
const COPIED_BY_OTHERS =
  'If another program, such as sqlite3, has opened state.db since the runner ended, it has copied the log into state.db and removed it; in that case this flag loses nothing.';

/** The way back after a doubt. */
const describePairFix = (file: string): string =>
  `Put ${file} and ${file}-wal back as they were when the runner stopped, or move the home away and restore a backup (svc restore). To start with ${file} alone and lose the rest, run svc start --accept-loss; the current files are kept beside it.`;

/**
 * Whether state.db and its log may be opened: null = yes. Only reads bytes: SQLite deletes or
 * overwrites the log of a state that it takes for empty. Throws SvcError `store-failed` for an
 * unreadable file.
 */
export function checkPair(file: string): PairDoubt | null {
  if (OPEN_HERE.has(file)) return null;
  // A runner may be between two writes; a real problem stays.
  const doubt = examineNow(file) === null ? null : examineNow(file);
  if (doubt === null) return null;
  const note = doubt === 'log-gone' ? ` ${COPIED_BY_OTHERS}` : '';
  return { doubt, detail: DETAIL[doubt](file), fix: `${describePairFix(file)}${note}` };
}

function examineNow(file: string): Doubt | null {
  try {
    // The manifest first: it may lag behind the others, never the reverse.
    const pairManifest = readPairManifest(file);
    const home = readHomeId(file);
    const isForeign = pairManifest?.home != null && home !== null && pairManifest.home !== home;
    const database = withPairReadError(file, () => readDatabaseHead(file));
    // Both came from elsewhere: without its manifest, another home's state.db may seem ours.
    if (isForeign && pairManifest.stamps.includes(database.head?.stamp ?? 0))
      return 'database-foreign';
    const log = withPairReadError(`${file}-wal`, () => readLog(`${file}-wal`));
    return examinePair({
      manifest: isForeign ? null : pairManifest,
      isUsed: home !== null,
      database,
      log,
      journal: withPairReadError(`${file}-journal`, () => readJournal(`${file}-journal`)),
      hasAllPages: (head) => hasAllPages(file, { bytes: database.bytes, head, log }),
    });
  } catch (error) {
    throw error instanceof SvcError ? error : createPairReadError(file, error);
  }
}

function createPairReadError(file: string, error: unknown): SvcError {
  const isFolder = findErrorCode(error) === 'EISDIR';
  const why = isFolder
    ? 'it is a folder, and svc did not make it. Move it away'
    : toErrorMessage(error);
  return new SvcError('store-failed', `Could not read ${file}: ${why}`, { cause: error });
}

/** Reads one of the files; errors name it. */
function withPairReadError<Result>(file: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof SvcError ? error : createPairReadError(file, error);
  }
}

/** Throws SvcError `store-failed` if the files do not belong together; see {@link checkPair}. */
export function refuseDoubtful(file: string): void {
  const pairDoubt = checkPair(file);
  if (pairDoubt === null) return;
  if (pairDoubt.doubt === 'no-database')
    throw createStoreFailure('open', file, new Error('file is not a database'));
  throw new SvcError('store-failed', `${pairDoubt.detail}. Nothing was changed. ${pairDoubt.fix}`, {
    data: { doubt: pairDoubt.doubt },
  });
}

/** Whether SQLite may read the file without harm to what lies beside it. */
export const isStateReadable = (file: string): boolean =>
  OPEN_HERE.has(file) || (existsSync(file) && readDatabaseHead(file).head !== null);
