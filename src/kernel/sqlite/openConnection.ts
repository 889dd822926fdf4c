import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { foldText } from '../../base/text/foldText.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { isOpenHere, markOpen, refuseDoubtful } from './pair/checkPair.ts';
import { PairRecorder } from './pair/pairRecorder.ts';
import { readDatabaseHead } from './pair/readDatabaseHead.ts';
import { createStoreFailure } from './createStoreFailure.ts';

export type Connection = InstanceType<typeof DatabaseSync>;

/** SQLite's name for a database without a file. */
export const IN_MEMORY = ':memory:';

/** Before this release a WAL reset could corrupt a database. */
const OLDEST_SQLITE = [3, 51, 3] as const;
/** Page cache, KiB. */
const CACHE_KIB = 16_384;
/** Of a new file. Most actors fit into one page; with 4 KiB a step costs a tenth more. */
const PAGE_BYTES = 8_192;
/**
 * VFS of a file that a thread of this process writes too: its lock excludes other processes, and
 * the connections share the log's index in memory.
 */
const OF_THIS_PROCESS = 'unix-excl';
/** PRAGMAs of an empty file. */
export const NEW_FILE = `PRAGMA page_size = ${PAGE_BYTES}; PRAGMA auto_vacuum = INCREMENTAL`;
/** PRAGMAs of every connection. `PairRecorder` decides when the log is copied. */
export const CONNECTION = `PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = 0`;

/** Address of a file that two connections of this process share. */
export function toSharedAddress(file: string): URL {
  const address = pathToFileURL(file);
  address.search = `vfs=${OF_THIS_PROCESS}`;
  return address;
}

export interface OpenConnection {
  db: Connection;
  /** undefined = no file. */
  recorder: PairRecorder | undefined;
}

/**
 * Opens or creates the file (0600; a new folder 0700) for this process alone; `isShared`: it may
 * open it once more. Throws SvcError `locked` if another connection has it, and `store-failed`,
 * also for a file and log that do not belong together.
 */
export function openConnection(file: string, isShared: boolean): OpenConnection {
  const memory = file === IN_MEMORY;
  if (!memory) refuseDoubtful(file);
  let db: Connection;
  let stamp = 0;
  try {
    if (!memory) {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      // SQLite gives the -wal the database's mode. An existing file is not opened: closing it would
      // end this process's locks on it.
      if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
      else if (!isOpenHere(file)) stamp = readDatabaseHead(file).head?.stamp ?? 0;
      chmodSync(file, 0o600);
    }
    // No wait for locks: the one taken here is kept until the end.
    const address = isShared ? toSharedAddress(file) : file;
    db = new DatabaseSync(address, { enableForeignKeyConstraints: true, timeout: 0 });
  } catch (error) {
    throw createStoreFailure('open', file, error);
  }
  try {
    // The exclusive lock before WAL, so that there is no shared-memory file.
    if (!memory && !isShared) db.exec('PRAGMA locking_mode = EXCLUSIVE');
    // FULL first: a PRAGMA of a new file may commit, and the manifest counts only what is on disk.
    db.exec(`${CONNECTION}; ${NEW_FILE}; BEGIN EXCLUSIVE; COMMIT`);
    addFunctions(db);
    const version = String(db.prepare('SELECT sqlite_version() AS version').get()?.version);
    if (!isRecentSqlite(version))
      throw new SvcError(
        'store-failed',
        `SQLite ${version} is too old; ${OLDEST_SQLITE.join('.')} or newer is required`,
      );
    if (memory) return { db, recorder: undefined };
    const recorder = new PairRecorder(db, file);
    recorder.begin(stamp);
    markOpen(file, true);
    // A reader may have left this index of the log after a kill.
    rmSync(`${file}-shm`, { force: true });
    return { db, recorder };
  } catch (error) {
    db.close();
    if (error instanceof SvcError) throw error;
    if (toErrorMessage(error).includes('locked'))
      throw new SvcError('locked', `${file} is in use`, { cause: error });
    throw createStoreFailure('open', file, error);
  }
}

/** Adds functions that migrations need and SQL lacks. */
function addFunctions(db: Connection): void {
  db.function('folded', { deterministic: true }, (text: string) => foldText(text));
  db.function(
    'first_line',
    { deterministic: true },
    (text: string, otherwise: string) => text.split('\n', 1)[0]?.trim() || otherwise,
  );
}

function isRecentSqlite(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [index, least] of OLDEST_SQLITE.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}
