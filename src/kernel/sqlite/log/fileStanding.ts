import type { DatabaseSync } from '@photostructure/sqlite';
import type { StateReader } from '../database.ts';
import type { LogEntry, LogPosition } from './homeLog.ts';
import { toLogPosition, toOutgoingEntry } from './outgoing.ts';
import { readDatabaseHead } from '../pair/readDatabaseHead.ts';
import { OWNER_KEY } from '../refuseNewerOwner.ts';
import { openToRead } from '../openToRead.ts';

/** What a file of the state says of its home's log. */
export interface FileStanding {
  /** Version of its schema. */
  storeVersion: number;
  /** Of the claim under which it was written last; 0 = none. */
  generation: number;
  /** null = it has no log. */
  position: LogPosition | null;
  /** Its newest entries, which the control plane may not have. */
  outgoing: readonly LogEntry[];
}

/** A state that is open for reading alone. */
export const toStateReader = (db: InstanceType<typeof DatabaseSync>): StateReader => ({
  get: (sql, ...values) => db.prepare(sql).get(...values),
  all: (sql, ...values) => db.prepare(sql).all(...values),
});

/** Reads a state that no process holds, without writing to it; null = it does not exist, or is empty. */
export function readFileStanding(file: string): FileStanding | null {
  if (readDatabaseHead(file).bytes === 0) return null;
  const db = openToRead(file);
  try {
    const [version] = readRows(db, 'user_version', 'pragma_user_version');
    const storeVersion = Number(version?.[0]);
    if (storeVersion === 0) return null;
    const meta = new Map(
      readRows(db, 'key, value', 'meta').map(([key, value]) => [String(key), String(value)]),
    );
    const tables = readRows(db, 'name', "sqlite_master WHERE type = 'table'").flat();
    const entries = tables.includes('log_outgoing')
      ? readRows(db, 'n, generation, hash, body', 'log_outgoing')
      : [];
    return {
      storeVersion,
      generation: Number(meta.get(OWNER_KEY) ?? 0),
      position: toLogPosition(meta),
      outgoing: entries.map(toOutgoingEntry).sort((a, b) => a.n - b.n),
    };
  } finally {
    db.close();
  }
}

/**
 * Rows without a statement that outlives this call: the driver ends statements by garbage collection, until which a
 * state with a write-ahead log stays locked, also for the process itself.
 */
function readRows(
  db: InstanceType<typeof DatabaseSync>,
  columns: string,
  from: string,
): unknown[][] {
  const rows: unknown[][] = [];
  db.function('take_row', { varargs: true }, (...values: unknown[]) => {
    rows.push(values);
    return null;
  });
  db.exec(`SELECT take_row(${columns}) FROM ${from}`);
  return rows;
}
