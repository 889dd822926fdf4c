import type { Database } from '../database.ts';
import type { SqlValue } from '../toSqlValue.ts';
import type { BrokenRows } from './brokenRows.ts';
import { pickReadableRows } from './rowGuard.ts';

/** The last moment that a Date can hold, epoch ms. */
export const LAST_TIME = 8_640_000_000_000_000;
/** Most rows that one sum names as left out. */
const MOST_NAMED = 100;

/** SQL: whether all of these columns or expressions are whole numbers that can be read, from 0. Never NULL. */
export const areCounts = (columns: readonly string[]): string =>
  columns.map((name) => `(${name} BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER}) IS TRUE`).join(' AND ');

/** SQL: whether this column is a time. Never NULL. */
export const isTime = (column: string): string => `(${column} BETWEEN 0 AND ${LAST_TIME}) IS TRUE`;

/** SQL: a value of a JSON column; null where it is not valid JSON, for which SQLite fails. */
export const buildJsonValueSql = (column: string, path: string): string =>
  `CASE WHEN json_valid(${column}) THEN ${column} ->> '${path}' END`;

/** Reports the rows that a sum has left out: those of the table for which `condition` does not hold. */
export function reportLeftOutRows(
  db: Database,
  broken: BrokenRows,
  { table, key }: { table: string; key: readonly string[] },
  condition: string,
  values: readonly SqlValue[] = [],
): void {
  const rows = db.all(
    `SELECT * FROM ${table} WHERE NOT (${condition}) LIMIT ${MOST_NAMED}`,
    ...values,
  );
  pickReadableRows(broken, { table, key }, rows);
}
