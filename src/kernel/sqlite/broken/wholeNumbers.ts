import type { Database } from '../database.ts';
import type { SqlValue } from '../toSqlValue.ts';
import type { BrokenRows } from './brokenRows.ts';
import { pickReadableRows } from './rowGuard.ts';

/** The last moment that a Date can hold, epoch ms. */
export const LAST_TIME = 8_640_000_000_000_000;
/** Most left-out rows named per sum. */
const MOST_NAMED = 100;

/** SQL: whether all these columns or expressions are readable whole numbers from 0. Never NULL. */
export const areCounts = (columns: readonly string[]): string =>
  columns.map((name) => `(${name} BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}) IS TRUE`).join(' AND ');

/** SQL: whether the column is a time. Never NULL. */
export const isTime = (column: string): string => `(${column} BETWEEN 0 AND ${LAST_TIME}) IS TRUE`;

/** SQL: a value of a JSON column; null for invalid JSON, on which SQLite would fail. */
export const buildJsonValueSql = (column: string, path: string): string =>
  `CASE WHEN json_valid(${column}) THEN ${column} ->> '${path}' END`;

/** Reports rows of the table that fail `condition` and so are missing from a sum. */
export function reportLeftOutRows(
  db: Database,
  brokenRows: BrokenRows,
  { table, key }: { table: string; key: readonly string[] },
  condition: string,
  values: readonly SqlValue[] = [],
): void {
  const rows = db.all(
    `SELECT * FROM ${table} WHERE NOT (${condition}) LIMIT ${MOST_NAMED}`,
    ...values,
  );
  pickReadableRows(brokenRows, { table, key }, rows);
}
