import { DatabaseSync } from '@photostructure/sqlite';
import { toErrorMessage } from '../../base/errors/errors.ts';
import { checkPair, isStateReadable } from './pair/checkPair.ts';
import { readStateRelease } from './takeOverState.ts';
import { openToRead } from './openToRead.ts';

/**
 * `held`: a process has it, and nothing was read. Else: problems from SQLite's integrity check, the
 * schema version, and the release that last ran on it (null = unknown).
 */
export type StoreCondition =
  | { held: true }
  | { held: false; problems: string[]; version: number; release: string | null };

/**
 * Checks an existing state.db without changing anything or waiting for a process that holds it.
 * Files that do not belong together are a problem and are not read. Never throws. After a crash
 * SQLite's index of the WAL (`-shm`) may stay; the next start ignores it.
 */
export function inspectStore(file: string): StoreCondition {
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    const doubt = checkPair(file);
    if (doubt !== null) return { held: false, problems: [doubt.detail], version: 0, release: null };
    const reader = openToRead(file);
    db = reader;
    const rows = db.prepare('PRAGMA integrity_check(20)').all();
    return {
      held: false,
      problems: rows.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok'),
      version: Number(db.prepare('PRAGMA user_version').get()?.user_version),
      release: readStateRelease({ get: (sql, ...values) => reader.prepare(sql).get(...values) }),
    };
  } catch (error) {
    const what = toErrorMessage(error);
    return what.includes('locked')
      ? { held: true }
      : { held: false, problems: [what], version: 0, release: null };
  } finally {
    db?.close();
  }
}

/**
 * Whether a process holds the state; false too if it does not exist, is unreadable or does not fit
 * its log. Changes nothing.
 */
export const isStateHeld = (file: string): boolean => hasNoDoubt(file) && isLocked(file);

function hasNoDoubt(file: string): boolean {
  try {
    return checkPair(file) === null;
  } catch {
    return false;
  }
}

/** Whether a process holds the state, whatever lies beside it. SQLite may index a log. */
export function isLocked(file: string): boolean {
  let db: InstanceType<typeof DatabaseSync> | undefined;
  try {
    // SQLite would delete the log of an empty state.
    if (!isStateReadable(file)) return false;
    db = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    // Not as a statement: the driver ends those later, and a log stays locked until then, even for the process itself.
    db.exec('PRAGMA user_version');
    return false;
  } catch (error) {
    return toErrorMessage(error).includes('locked');
  } finally {
    db?.close();
  }
}
