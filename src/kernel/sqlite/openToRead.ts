import { DatabaseSync } from '@photostructure/sqlite';
import { checkPair } from './pair/checkPair.ts';

/** SQLITE_READONLY_ROLLBACK: a journal has to be rolled back first, and a reader may not. */
const NEEDS_ROLLBACK = 776;

type Connection = InstanceType<typeof DatabaseSync>;

/**
 * Opens a state that no process holds for reading alone. A kill in a transaction outside of the write-ahead log, such as
 * the last one of a clean stop, leaves a journal: what was not committed is taken back first, as by any start. Throws
 * what SQLite reports, at once where a process holds it, and where the journal is not of this state.
 */
export function openToRead(file: string): Connection {
  const reader = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  try {
    touch(reader);
    return reader;
  } catch (error) {
    reader.close();
    if (Reflect.get(Object(error), 'errcode') !== NEEDS_ROLLBACK || checkPair(file) !== null)
      throw error;
  }
  const writer = new DatabaseSync(file, { timeout: 0 });
  try {
    touch(writer);
  } finally {
    writer.close();
  }
  return new DatabaseSync(file, { readOnly: true, timeout: 0 });
}

/** Makes SQLite read the file, which it does not do when it opens one. Leaves no statement. */
const touch = (db: Connection): void => db.exec('PRAGMA user_version');
