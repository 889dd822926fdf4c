import type { RowChange } from '../rowChange.ts';
import type { Database } from './database.ts';
import { type FeatureTable, type FeatureTables, sqlValue } from './featureTables.ts';

const list = (names: readonly string[]) => names.join(', ');
const equal = (names: readonly string[]) => names.map((name) => `${name} = ?`);

function putSql(table: FeatureTable, names: readonly string[]): string {
  const rest = names.filter((name) => !table.primaryKey.includes(name));
  const update =
    rest.length > 0
      ? `UPDATE SET ${list(rest.map((name) => `${name} = excluded.${name}`))}`
      : 'NOTHING';
  const places = list(names.map(() => '?'));
  return `INSERT INTO ${table.name} (${list(names)}) VALUES (${places}) ON CONFLICT (${list(table.primaryKey)}) DO ${update}`;
}

function required(
  table: FeatureTable,
  given: Record<string, unknown>,
  what: string,
): readonly string[] {
  const names = Object.keys(given);
  // Without a condition every row of the table would be changed.
  if (names.length === 0) throw new Error(`${what} of the table ${table.name} is empty`);
  return names;
}

/** Carries out one change of a feature's row. Throws Error for unknown tables and columns. */
export function changeRow(db: Database, tables: FeatureTables, change: RowChange): void {
  const table = tables.table(change.table);
  if (change.op === 'put') {
    const names = tables.columns(table, required(table, change.row, 'A row'));
    db.run(putSql(table, names), ...names.map((name) => sqlValue(change.row[name])));
    return;
  }
  const key = tables.columns(table, required(table, change.key, 'The key of a change'));
  const where = equal(key).join(' AND ');
  const keyValues = key.map((name) => sqlValue(change.key[name]));
  if (change.op === 'drop') {
    db.run(`DELETE FROM ${table.name} WHERE ${where}`, ...keyValues);
    return;
  }
  const names = tables.columns(table, required(table, change.set, 'A change'));
  db.run(
    `UPDATE ${table.name} SET ${list(equal(names))} WHERE ${where}`,
    ...names.map((name) => sqlValue(change.set[name])),
    ...keyValues,
  );
}
