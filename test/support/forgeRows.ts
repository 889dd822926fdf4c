import type { ForgeChange, ForgeRow } from '../../src/contract/forge.ts';
import type { RowSource } from '../../src/contract/rowSource.ts';

type Row = Record<string, unknown>;

/** Primary keys and further unique columns of the forge's tables, as in the store's migrations. */
const KEYS: Record<string, string[]> = {
  forge_prs: ['repo', 'number'],
  forge_comments: ['repo', 'number', 'id'],
  forge_reviews: ['repo', 'number', 'author'],
};
const UNIQUE: Record<string, string[]> = { forge_prs: ['operation_id'], forge_comments: ['operation_id'] };

const matches = (row: Row, where: Row): boolean => Object.entries(where).every(([column, value]) => row[column] === value);

/** The forge's tables in memory. `commit` puts the rows of a change, as the store would; it refuses what the store would refuse. */
export class ForgeRows implements RowSource {
  readonly tables: Record<string, Row[]> = { forge_prs: [], forge_comments: [], forge_reviews: [] };

  commit(...changes: ForgeChange[]): void {
    for (const { rows } of changes) for (const row of rows) this.#put(row);
  }

  #put({ table, row }: ForgeRow): void {
    const keys = KEYS[table] ?? [];
    const others = (this.tables[table] ?? []).filter((old) => !keys.every((key) => old[key] === row[key]));
    for (const column of UNIQUE[table] ?? []) {
      if (others.some((old) => old[column] === row[column])) throw new Error(`${table}.${column} is not unique: ${row[column]}`);
    }
    const open = { repo: row.repo, head: row.head, base: row.base, state: 'open' };
    if (table === 'forge_prs' && row.state === 'open' && others.some((old) => matches(old, open))) {
      throw new Error('two open pull requests for the same branches');
    }
    this.tables[table] = [...others, { ...row }];
  }

  all<T>(table: string, where: Row, options: { order?: string; desc?: boolean; limit?: number; offset?: number } = {}): T[] {
    const { order, desc = false, limit = Number.POSITIVE_INFINITY, offset = 0 } = options;
    const found = (this.tables[table] ?? []).filter((row) => matches(row, where)).map((row) => structuredClone(row));
    if (order !== undefined) {
      found.sort(
        (a, b) => Number((a[order] as number) > (b[order] as number)) - Number((a[order] as number) < (b[order] as number)),
      );
    }
    if (desc) found.reverse();
    return found.slice(offset, offset + limit) as T[];
  }

  one<T>(table: string, where: Row): T | undefined {
    return this.all<T>(table, where)[0];
  }

  count(table: string, where: Row): number {
    return this.all(table, where).length;
  }
}
