import type { RowChange } from '../rowChange.ts';
import type { Database } from './database.ts';
import { describeOutsideValue } from '../../base/json/describeOutsideValue.ts';

interface Column {
  /** INTEGER, REAL, TEXT or BLOB: all tables are STRICT. */
  kind: string;
  isRequired: boolean;
}

/**
 * Why a column cannot hold a value, as the end of a sentence; null = it can. Whole numbers beyond
 * 2^53-1 are refused: they could be stored but not read.
 */
function explainValueProblem(value: unknown, { kind, isRequired }: Column): string | null {
  if (value === null || value === undefined) return isRequired ? 'is missing' : null;
  if (typeof value === 'boolean') return null;
  if (kind === 'INTEGER')
    return Number.isSafeInteger(value)
      ? null
      : `is no whole number: ${describeOutsideValue(value)}`;
  if (kind === 'REAL')
    return Number.isFinite(value) ? null : `is no number: ${describeOutsideValue(value)}`;
  return typeof value === 'number' && !Number.isFinite(value)
    ? `is no text: ${describeOutsideValue(value)}`
    : null;
}

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
  'log_outgoing',
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
