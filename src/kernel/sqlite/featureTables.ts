import type { RowChange } from '../rowChange.ts';
import { type Column, explainValueProblem } from './columnKinds.ts';
import type { Database } from './database.ts';

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
  'quarantined_rows',
  'archives',
]);

export interface FeatureTable {
  name: string;
  columns: ReadonlyMap<string, Column>;
  primaryKey: readonly string[];
  /** Changes of its rows since the store opened. */
  changes: number;
}

/** The features' tables, from the schema: names that reach SQL are checked against them. */
export class FeatureTables {
  readonly #tables = new Map<string, FeatureTable>();

  constructor(db: Database) {
    for (const { name } of db.all(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )) {
      const table = String(name);
      if (KERNEL_TABLES.has(table)) continue;
      const columns = db.all('SELECT name, pk, type, "notnull" FROM pragma_table_info(?)', table);
      this.#tables.set(table, {
        name: table,
        columns: new Map(
          columns.map(({ name, type, notnull }) => [
            String(name),
            { kind: String(type), isRequired: notnull === 1 },
          ]),
        ),
        primaryKey: columns
          .filter((column) => Number(column.pk) > 0)
          .sort((a, b) => Number(a.pk) - Number(b.pk))
          .map((column) => String(column.name)),
        changes: 0,
      });
    }
  }

  /** Throws Error for an unknown table or one of the kernel's. */
  table(name: string): FeatureTable {
    const table = this.#tables.get(name);
    if (!table) throw new Error(`${name} is not a table of a feature`);
    return table;
  }

  /** Why a change is impossible, for people; null = no known reason. */
  problem(change: RowChange): string | null {
    const table = this.#tables.get(change.table);
    if (!table) return `${change.table} is not a table of a feature.`;
    if (change.op === 'drop') return null;
    const values = change.op === 'put' ? change.row : change.set;
    for (const name in values) {
      const column = table.columns.get(name);
      if (!column) return `The table ${table.name} has no column ${name}.`;
      const problem = explainValueProblem(values[name], column);
      if (problem !== null) return `${table.name}.${name} ${problem}.`;
    }
    return null;
  }

  /** Checks the names. Throws Error for an unknown column. */
  columns(table: FeatureTable, names: readonly string[]): readonly string[] {
    for (const name of names) {
      if (!table.columns.has(name))
        throw new Error(`The table ${table.name} has no column ${name}`);
    }
    return names;
  }
}
