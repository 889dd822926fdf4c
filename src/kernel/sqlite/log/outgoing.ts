import type { Database, StateReader } from '../database.ts';
import type { LogEntry, LogPosition } from './homeLog.ts';

/** Keys in `meta`: how far the file is in its home's log. */
const POSITION_N = 'log.n';
const POSITION_HASH = 'log.hash';

const PUT_META = `INSERT INTO meta (key, value) VALUES (?, ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;
const PUT_ENTRY = 'INSERT INTO log_outgoing (n, generation, hash, body) VALUES (?, ?, ?, ?)';

const hasTable = (db: StateReader, name: string): boolean =>
  db.get("SELECT 1 AS yes FROM sqlite_master WHERE type = 'table' AND name = ?", name) !==
  undefined;

/** How far a state's rows go in its home's log; null = it has no log. Also for older schemas. */
export function readLogPosition(db: StateReader): LogPosition | null {
  if (!hasTable(db, 'meta')) return null;
  const rows = db.all('SELECT key, value FROM meta WHERE key IN (?, ?)', POSITION_N, POSITION_HASH);
  return toLogPosition(new Map(rows.map(({ key, value }) => [String(key), String(value)])));
}

/** The position that rows of `meta` say; null = none. */
export function toLogPosition(values: ReadonlyMap<string, string>): LogPosition | null {
  const n = Number(values.get(POSITION_N));
  const hash = values.get(POSITION_HASH);
  return Number.isSafeInteger(n) && hash !== undefined ? { n, hash } : null;
}

/** Within the transaction that brings the rows there. */
export function writeLogPosition(db: Database, { n, hash }: LogPosition): void {
  db.run(PUT_META, POSITION_N, String(n));
  db.run(PUT_META, POSITION_HASH, hash);
}

/**
 * Entries made on this state that the control plane was not known to have when the last one was
 * made, in their order. Also for older schemas.
 */
export function readOutgoing(db: StateReader): LogEntry[] {
  if (!hasTable(db, 'log_outgoing')) return [];
  return db
    .all('SELECT n, generation, hash, body FROM log_outgoing ORDER BY n')
    .map(({ n, generation, hash, body }) => toOutgoingEntry([n, generation, hash, body]));
}

/** Of the columns n, generation, hash and body. */
export function toOutgoingEntry([n, generation, hash, body]: readonly unknown[]): LogEntry {
  if (!(body instanceof Uint8Array)) throw new Error(`Entry ${String(n)} has no body`);
  return { n: Number(n), generation: Number(generation), hash: String(hash), body };
}

/** Adds an entry and drops those that the control plane has. */
export function writeOutgoing(db: Database, entry: LogEntry, acknowledgedEntry: number): void {
  db.run('DELETE FROM log_outgoing WHERE n <= ?', acknowledgedEntry);
  db.run(PUT_ENTRY, entry.n, entry.generation, entry.hash, entry.body);
}

/** SQL that removes the entries. */
export const FORGET_OUTGOING = 'DELETE FROM log_outgoing';

/** The state has no log from then on. */
export function forgetLog(db: Database): void {
  db.run("DELETE FROM meta WHERE key LIKE 'log.%'");
  db.run(FORGET_OUTGOING);
}
