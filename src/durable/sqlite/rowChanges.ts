import type { RowChange } from '../rowChange.ts';
import type { FeatureTable, FeatureTables } from './featureTables.ts';
import type { Statements } from './thread/statements.ts';
import { type SqlValue, sqlValue } from './sqlValue.ts';

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

function changeSql(tables: FeatureTables, change: RowChange): string {
  const table = tables.table(change.table);
  if (change.op === 'put')
    return putSql(table, tables.columns(table, required(table, change.row, 'A row')));
  const key = tables.columns(table, required(table, change.key, 'The key of a change'));
  const where = equal(key).join(' AND ');
  if (change.op === 'drop') return `DELETE FROM ${table.name} WHERE ${where}`;
  const names = tables.columns(table, required(table, change.set, 'A change'));
  // Not `OR ABORT`, the default: a change that fails fails its commit, and SQLite would keep copies of
  // all pages that a trigger changes, to undo this one alone.
  return `UPDATE OR ROLLBACK ${table.name} SET ${list(equal(names))} WHERE ${where}`;
}

/** What tells the SQL of one change from that of another. */
const shapeOf = (change: RowChange): string =>
  change.op === 'put'
    ? `put ${change.table} ${Object.keys(change.row).join()}`
    : `${change.op} ${change.table} ${Object.keys(change.key).join()} ${change.op === 'patch' ? Object.keys(change.set).join() : ''}`;

/** In the order of the places in the SQL. */
const valuesOf = (change: RowChange): SqlValue[] => {
  if (change.op === 'put') return Object.values(change.row).map(sqlValue);
  const key = Object.values(change.key).map(sqlValue);
  return change.op === 'drop' ? key : [...Object.values(change.set).map(sqlValue), ...key];
};

/** Carries out changes of features' rows. The features write few kinds of them, again and again. */
export class RowChanges {
  readonly #tables: FeatureTables;
  readonly #sql = new Map<string, string>();

  constructor(tables: FeatureTables) {
    this.#tables = tables;
  }

  /** Throws Error for unknown tables and columns. */
  carryOut(to: Statements, change: RowChange): void {
    const shape = shapeOf(change);
    let sql = this.#sql.get(shape);
    if (sql === undefined) {
      sql = changeSql(this.#tables, change);
      this.#sql.set(shape, sql);
    }
    this.#tables.table(change.table).changes += 1;
    to.run(sql, ...valuesOf(change));
  }
}
