import type { Database, SqlValue } from './database.ts';
import { type FeatureTables, sqlValue } from './featureTables.ts';

/** Columns that must have these values; null means IS NULL. */
export type Where = Record<string, string | number | boolean | null>;

export interface ReadOptions {
  /** Column or columns to sort by, the first counts most; default: the primary key. */
  order?: string | readonly string[];
  /** True: the largest first. */
  desc?: boolean;
  limit?: number;
  offset?: number;
}

/** Reads rows of the tables that features own. `Row` is what the caller knows of the table's columns. */
export class RowReader {
  readonly #db: Database;
  readonly #tables: FeatureTables;

  constructor(db: Database, tables: FeatureTables) {
    this.#db = db;
    this.#tables = tables;
  }

  all<Row>(table: string, where: Where = {}, options: ReadOptions = {}): Row[] {
    const known = this.#tables.table(table);
    const by = typeof options.order === 'string' ? [options.order] : (options.order ?? known.primaryKey);
    const order = this.#tables.columns(known, by).map((name) => (options.desc ? `${name} DESC` : name));
    const [condition, values] = this.#condition(table, where);
    const sql = `SELECT * FROM ${known.name} ${condition} ORDER BY ${order.join(', ')} LIMIT ? OFFSET ?`;
    // The driver's rows have no prototype, which makes them unequal to plain objects.
    return this.#db.all(sql, ...values, options.limit ?? -1, options.offset ?? 0).map((row) => ({ ...row }) as Row);
  }

  one<Row>(table: string, where: Where): Row | undefined {
    return this.all<Row>(table, where, { limit: 1 })[0];
  }

  count(table: string, where: Where = {}): number {
    const [condition, values] = this.#condition(table, where);
    return Number(this.#db.get(`SELECT count(*) AS n FROM ${this.#tables.table(table).name} ${condition}`, ...values)?.n);
  }

  #condition(table: string, where: Where): [string, SqlValue[]] {
    const names = this.#tables.columns(this.#tables.table(table), Object.keys(where));
    if (names.length === 0) return ['', []];
    const terms = names.map((name) => (where[name] === null ? `${name} IS NULL` : `${name} = ?`));
    const values = names.filter((name) => where[name] !== null).map((name) => sqlValue(where[name]));
    return [`WHERE ${terms.join(' AND ')}`, values];
  }
}
