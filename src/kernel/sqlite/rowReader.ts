import type { FeatureTables } from './featureTables.ts';
import type { AnyTables, TableName } from '../rowChange.ts';
import type { ReadOptions, TypedRows, Where } from '../typedRows.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { BrokenRows, REPAIR } from './broken/brokenRows.ts';
import { toBrokenRow, formatRowId, pickReadableRows } from './broken/rowGuard.ts';
import type { Database } from './database.ts';
import { type SqlValue, toSqlValue } from './toSqlValue.ts';

/** Most rows kept per table. */
const MOST_KEPT = 1_000;

/**
 * Reads features' rows. `Known`: the tables of the store's migrations. Reports unreadable rows and
 * leaves them out of lists.
 */
export class RowReader<Known extends object> implements TypedRows<Known> {
  readonly #db: Database;
  readonly #tables: FeatureTables;
  readonly #broken: BrokenRows;
  readonly #cachedTables: ReadonlySet<string>;
  /** The rows of these tables, and the table's changes when they were read. */
  readonly #cache = new Map<string, { changes: number; rows: readonly object[] }>();

  /** `cachedTables`: tables of which every commit reads all rows, cached while unchanged. */
  constructor(
    db: Database,
    tables: FeatureTables,
    brokenRows = new BrokenRows(),
    cachedTables: ReadonlySet<string> = new Set(),
  ) {
    this.#cachedTables = cachedTables;
    this.#db = db;
    this.#tables = tables;
    this.#broken = brokenRows;
  }

  all<Name extends TableName<Known>>(
    table: Name,
    where: Where<Known[Name]> = {},
    options: ReadOptions<Known[Name]> = {},
  ): Known[Name][] {
    const featureTable = this.#tables.table(table);
    const { instead, ...page } = options;
    const readsAll =
      this.#cachedTables.has(table) && Object.keys(where).length + Object.keys(page).length === 0;
    const cachedTable = readsAll ? this.#cache.get(table) : undefined;
    if (cachedTable && cachedTable.changes === featureTable.changes)
      return copyDriverRows<Known[Name]>(cachedTable.rows);
    const rows = pickReadableRows(
      this.#broken,
      { table, key: featureTable.primaryKey },
      this.#readStored(table, where, page),
      instead,
    );
    if (readsAll && rows.length <= MOST_KEPT)
      this.#cache.set(table, { changes: featureTable.changes, rows });
    return copyDriverRows<Known[Name]>(rows);
  }

  one<Name extends TableName<Known>>(
    table: Name,
    where: Where<Known[Name]>,
  ): Known[Name] | undefined {
    const [storedRow] = this.#readStored(table, where, { limit: 1 });
    if (!storedRow) return undefined;
    const key = this.#tables.table(table).primaryKey;
    const problems = this.#broken.guard.findRowProblems(table, storedRow);
    if (problems.length === 0) return copyDriverRows<Known[Name]>([storedRow])[0];
    const row = toBrokenRow(table, formatRowId(storedRow, key), problems);
    this.#broken.add(row);
    throw new SvcError(
      'broken-row',
      `The row ${row.id} of the table ${table} cannot be read: ${row.reason}. ${REPAIR}`,
      { data: { table, id: row.id } },
    );
  }

  #readStored<Name extends TableName<Known>>(
    table: Name,
    where: Where<Known[Name]>,
    { order, desc, limit = -1, offset = 0 }: ReadOptions<Known[Name]>,
  ): Record<string, unknown>[] {
    const featureTable = this.#tables.table(table);
    const by = order === undefined ? featureTable.primaryKey : [order].flat().map(String);
    const sorted = this.#tables
      .columns(featureTable, by)
      .map((name) => (desc ? `${name} DESC` : name));
    const [condition, values] = this.#condition(table, where);
    const sql = `SELECT * FROM ${featureTable.name} ${condition} ORDER BY ${sorted.join(', ')} LIMIT ? OFFSET ?`;
    return this.#db.all(sql, ...values, limit, offset);
  }

  count<Name extends TableName<Known>>(table: Name, where: Where<Known[Name]> = {}): number {
    const [condition, values] = this.#condition(table, where);
    const { name } = this.#tables.table(table);
    return Number(this.#db.get(`SELECT count(*) AS n FROM ${name} ${condition}`, ...values)?.n);
  }

  #condition(table: string, where: AnyTables[string]): [string, SqlValue[]] {
    const names = this.#tables.columns(this.#tables.table(table), Object.keys(where));
    if (names.length === 0) return ['', []];
    const terms = names.map((name) => (where[name] === null ? `${name} IS NULL` : `${name} = ?`));
    const values = names
      .filter((name) => where[name] !== null)
      .map((name) => toSqlValue(where[name]));
    return [`WHERE ${terms.join(' AND ')}`, values];
  }
}

// The only cast of driver rows; a test compares every table's columns with Tables. Copied, since
// driver rows have no prototype and so differ from plain objects.
const copyDriverRows = <Row>(rows: readonly object[]): Row[] =>
  rows.map((row) => ({ ...row }) as Row);
