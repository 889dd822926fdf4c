import type { Database, StateReader } from '../database.ts';

/**
 * What is written outside of entries: the control plane gets it with the next checkpoint.
 *
 * - `archive`: rows of ended actors are in files now. A state without this is as good: it has the
 *   rows in its tables.
 * - `migration`: entries made after it need its tables.
 * - `repair`: rows that could not be read were changed or removed.
 */
export type OutsideWrite = 'archive' | 'migration' | 'repair';

/** Key in `meta`: the outside write that no checkpoint has yet. */
const DUE = 'log.due';
/** Key in `meta`: the schema that the last entry was made for. */
const SCHEMA = 'log.schema';

const HAS_LOG = "EXISTS (SELECT 1 FROM meta WHERE key = 'log.n')";
const MARK = `INSERT INTO meta (key, value) SELECT '${DUE}', ? WHERE ${HAS_LOG}
  ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE value = 'archive'`;
const MARK_SCHEMA = `INSERT INTO meta (key, value) VALUES ('${SCHEMA}', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

const readSchema = (db: StateReader): number => Number(db.get('PRAGMA user_version')?.user_version);

/**
 * Records that a state with a log is written outside of entries, in the same transaction or before
 * it: a crash must not forget that a checkpoint is due. Does nothing for a state without a log.
 */
export const markOutsideWrite = (db: Database, write: OutsideWrite): void =>
  void db.run(MARK, write);

/** The outside write that no checkpoint has; null = none. A state migrated since counts too. */
export function findOutsideWrite(db: StateReader): OutsideWrite | null {
  const schema = db.get('SELECT value FROM meta WHERE key = ?', SCHEMA);
  if (schema !== undefined && Number(schema.value) !== readSchema(db)) return 'migration';
  const due = db.get('SELECT value FROM meta WHERE key = ?', DUE)?.value;
  return due === 'archive' || due === 'migration' || due === 'repair' ? due : null;
}

/** SQL that removes the mark, once a checkpoint contains the written rows. */
export const FORGET_OUTSIDE_WRITES = `DELETE FROM meta WHERE key = '${DUE}'`;

/** Entries are made for the schema that the state has now. Within a transaction. */
export const markLogSchema = (db: Database): void =>
  void db.run(MARK_SCHEMA, String(readSchema(db)));

/** A checkpoint has them, or none is needed. Within a transaction. */
export function clearOutsideWrites(db: Database): void {
  db.run(FORGET_OUTSIDE_WRITES);
  markLogSchema(db);
}
