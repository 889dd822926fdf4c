import type { RowChange } from '../rowChange.ts';
import type { FeatureTable, FeatureTables } from './featureTables.ts';
import type { Statements } from './thread/statements.ts';
import { type SqlValue, toSqlValue } from './toSqlValue.ts';

const joinColumnNames = (names: readonly string[]) => names.join(', ');
const buildEqualTerms = (names: readonly string[]) => names.map((name) => `${name} = ?`);

function putSql(table: FeatureTable, names: readonly string[]): string {
  const rest = names.filter((name) => !table.primaryKey.includes(name));
  const update =
    rest.length > 0
      ? `UPDATE SET ${joinColumnNames(rest.map((name) => `${name} = excluded.${name}`))}`
      : 'NOTHING';
  const places = joinColumnNames(names.map(() => '?'));
  return `INSERT INTO ${table.name} (${joinColumnNames(names)}) VALUES (${places}) ON CONFLICT (${joinColumnNames(table.primaryKey)}) DO ${update}`;
}

function requireColumns(
  table: FeatureTable,
  row: Record<string, unknown>,
  what: string,
): readonly string[] {
  const names = Object.keys(row);
  // Without a condition the change would affect every row.
  if (names.length === 0) throw new Error(`${what} of the table ${table.name} is empty`);
  return names;
}

function buildChangeSql(tables: FeatureTables, change: RowChange): string {
  const table = tables.table(change.table);
  if (change.op === 'put')
    return putSql(table, tables.columns(table, requireColumns(table, change.row, 'A row')));
  const key = tables.columns(table, requireColumns(table, change.key, 'The key of a change'));
  const where = buildEqualTerms(key).join(' AND ');
  if (change.op === 'drop') return `DELETE FROM ${table.name} WHERE ${where}`;
  const names = tables.columns(table, requireColumns(table, change.set, 'A change'));
  // Not `OR ABORT`, the default: a failed change fails its commit anyway, and SQLite would copy all
  // pages that a trigger changes to undo it alone.
  return `UPDATE OR ROLLBACK ${table.name} SET ${joinColumnNames(buildEqualTerms(names))} WHERE ${where}`;
}

/** Distinguishes the SQL of changes. */
const describeChangeShape = (change: RowChange): string =>
  change.op === 'put'
    ? `put ${change.table} ${Object.keys(change.row).join()}`
    : `${change.op} ${change.table} ${Object.keys(change.key).join()} ${change.op === 'patch' ? Object.keys(change.set).join() : ''}`;

/** In the order of the SQL's placeholders. */
const listChangeValues = (change: RowChange): SqlValue[] => {
  if (change.op === 'put') return Object.values(change.row).map(toSqlValue);
  const key = Object.values(change.key).map(toSqlValue);
  return change.op === 'drop' ? key : [...Object.values(change.set).map(toSqlValue), ...key];
};

/** Carries out changes of features' rows, with few statements used again and again. */
export class RowChanges {
  readonly #tables: FeatureTables;
  readonly #sql = new Map<string, string>();

  constructor(tables: FeatureTables) {
    this.#tables = tables;
  }

  /** Throws Error for unknown tables and columns. */
  carryOut(to: Statements, change: RowChange): void {
    const shape = describeChangeShape(change);
    let sql = this.#sql.get(shape);
    if (sql === undefined) {
      sql = buildChangeSql(this.#tables, change);
      this.#sql.set(shape, sql);
    }
    this.#tables.table(change.table).changes += 1;
    to.run(sql, ...listChangeValues(change));
  }
}
