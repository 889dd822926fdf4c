import type { StateReader } from '../../../kernel/sqlite/database.ts';
import type { SqlValue } from '../../../kernel/sqlite/toSqlValue.ts';

/** Whether a number may have been read with wrong digits. */
export const isRounded = (value: unknown): boolean =>
  Number.isInteger(value) && !Number.isSafeInteger(value);

/** Far more than the rounding error of a number beyond 2^53. */
const NEAR = 4_096;

/** The values of a row as texts with all digits, since numbers beyond 2^53 are read rounded. */
export function readExactValues(
  db: StateReader,
  table: string,
  key: readonly string[],
  row: Readonly<Record<string, unknown>>,
): Record<string, string> {
  const columns = Object.keys(row).map((name) => `CAST(${name} AS TEXT) AS ${name}`);
  // A key beyond 2^53 was read rounded, so the row is looked for near it.
  const near = key.map((name) =>
    isRounded(row[name]) ? `abs(CAST(${name} AS REAL) - ?) < ${NEAR}` : `${name} IS ?`,
  );
  const exactRow = db.get(
    `SELECT ${columns.join(', ')} FROM ${table} WHERE ${near.join(' AND ')} LIMIT 1`,
    ...key.map((name) => row[name] as SqlValue),
  );
  return Object.fromEntries(
    Object.entries(exactRow ?? {}).map(([name, value]) => [name, String(value)]),
  );
}
