import type { Database } from './database.ts';

/** Tables that only the kernel writes and reads. */
export const KERNEL_TABLES: ReadonlySet<string> = new Set([
  'meta',
  'actors',
  'journal',
  'blobs',
  'outbox',
  'timers',
  'inbox',
  'mail',
  'frames',
]);

export interface FeatureTable {
  name: string;
  columns: ReadonlySet<string>;
  primaryKey: readonly string[];
  /** Changes of its rows since the store was opened. */
  changes: number;
}

/**
 * The tables that features own, read from the schema: names that reach SQL as text are checked
 * against it.
 */
export class FeatureTables {
  readonly #tables = new Map<string, FeatureTable>();

  constructor(db: Database) {
    for (const { name } of db.all(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )) {
      const table = String(name);
      if (KERNEL_TABLES.has(table)) continue;
      const columns = db.all('SELECT name, pk FROM pragma_table_info(?)', table);
      this.#tables.set(table, {
        name: table,
        columns: new Set(columns.map((column) => String(column.name))),
        primaryKey: columns
          .filter((column) => Number(column.pk) > 0)
          .sort((a, b) => Number(a.pk) - Number(b.pk))
          .map((column) => String(column.name)),
        changes: 0,
      });
    }
  }

  /** Throws Error for a table that is unknown or the kernel's. */
  table(name: string): FeatureTable {
    const table = this.#tables.get(name);
    if (!table) throw new Error(`${name} is not a table of a feature`);
    return table;
  }

  /** The names, checked. Throws Error for a column that the table does not have. */
  columns(table: FeatureTable, names: readonly string[]): readonly string[] {
    for (const name of names) {
      if (!table.columns.has(name))
        throw new Error(`The table ${table.name} has no column ${name}`);
    }
    return names;
  }
}
