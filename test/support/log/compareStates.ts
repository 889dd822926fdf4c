import { DatabaseSync } from '@photostructure/sqlite';
import type { Database, StateReader } from '../../../src/kernel/sqlite/database.ts';

/** Not in the log: whose the file is and where it is, what is in files, what waits. */
export const NOT_IN_LOG: ReadonlySet<string> = new Set(['meta', 'archives', 'log_outgoing']);

const listTables = (db: StateReader): string[] =>
  db
    .all(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .map(({ name }) => String(name))
    .filter((name) => !NOT_IN_LOG.has(name));

/** Whose rows archiving moves into files, outside of the log. */
const ARCHIVED_TABLES: ReadonlySet<string> = new Set(['journal', 'frames']);

const listArchived = (db: StateReader): string[] =>
  db.all('SELECT DISTINCT actor FROM archives').map(({ actor }) => String(actor));

/** All rows of a table as text, in an order that does not depend on how they were written. */
const readRows = (db: StateReader, table: string, archived: ReadonlySet<string>): string[] =>
  db
    .all(`SELECT * FROM "${table}"`)
    .filter(({ actor }) => !(ARCHIVED_TABLES.has(table) && archived.has(String(actor))))
    .map((row) => JSON.stringify(row))
    .sort();

export interface StateComparison {
  tables: number;
  rows: number;
  /** What differs, a line each; empty = nothing. */
  differences: string[];
}

/**
 * Compares two states table by table; see {@link NOT_IN_LOG}. Left out are journals and streams of actors that one of
 * them has archived: the other may still have them in its tables.
 */
export function compareStates(one: StateReader, other: StateReader): StateComparison {
  const tables = listTables(one);
  const differences: string[] = [];
  if (tables.join() !== listTables(other).join()) differences.push('the tables differ');
  const archived = new Set([...listArchived(one), ...listArchived(other)]);
  let rows = 0;
  for (const table of tables) {
    const [a, b] = [readRows(one, table, archived), readRows(other, table, archived)];
    rows += a.length;
    const lacks = (here: string[], there: string[]) => {
      const known = new Set(there);
      return here.filter((row) => !known.has(row));
    };
    for (const row of lacks(a, b).slice(0, 3))
      differences.push(`${table}: only the first has ${row.slice(0, 200)}`);
    for (const row of lacks(b, a).slice(0, 3))
      differences.push(`${table}: only the second has ${row.slice(0, 200)}`);
    if (a.length !== b.length) differences.push(`${table}: ${a.length} and ${b.length} rows`);
  }
  return { tables: tables.length, rows, differences };
}

/** Opens the files of a state that no process has, or copies of one, only to read them. */
export function readClosedState<Result>(file: string, read: (db: StateReader) => Result): Result {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  try {
    const reader: Pick<Database, 'get' | 'all'> = {
      get: (sql, ...values) => db.prepare(sql).get(...values),
      all: (sql, ...values) => db.prepare(sql).all(...values),
    };
    return read(reader);
  } finally {
    db.close();
  }
}
