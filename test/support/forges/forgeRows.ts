import type { ForgeChange } from '../../../src/contract/forge/forge.ts';
import type { RowSource } from '../../../src/contract/forge/builtInForge.ts';
import type { ReadOptions, Where } from '../../../src/kernel/typedRows.ts';
import type { Tables } from '../../../src/contract/records/tables.ts';

type Row = Record<string, unknown>;

/** Primary keys and further unique columns of the forge's tables, as in the store's migrations. */
const KEYS: Record<string, string[]> = {
  forge_prs: ['repo', 'number'],
  forge_comments: ['repo', 'number', 'id'],
  forge_reviews: ['repo', 'number', 'author'],
};
const UNIQUE: Record<string, string[]> = {
  forge_prs: ['operation_id'],
  forge_comments: ['operation_id'],
};

const matches = (row: Row, where: Row): boolean =>
  Object.entries(where).every(([column, value]) => row[column] === value);

/** The forge's tables in memory; `commit` writes and refuses rows as the store would. */
export class ForgeRows implements RowSource {
  readonly tables: Record<string, Row[]> = { forge_prs: [], forge_comments: [], forge_reviews: [] };

  commit(...changes: ForgeChange[]): void {
    for (const { rows } of changes) for (const { table, row } of rows) this.#put(table, row);
  }

  #put(table: string, row: Row): void {
    const keys = KEYS[table] ?? [];
    const others = (this.tables[table] ?? []).filter(
      (old) => !keys.every((key) => old[key] === row[key]),
    );
    for (const column of UNIQUE[table] ?? []) {
      if (others.some((old) => old[column] === row[column]))
        throw new Error(`${table}.${column} is not unique: ${row[column]}`);
    }
    const open = { repo: row.repo, head: row.head, base: row.base, state: 'open' };
    if (table === 'forge_prs' && row.state === 'open' && others.some((old) => matches(old, open))) {
      throw new Error('two open pull requests for the same branches');
    }
    this.tables[table] = [...others, { ...row }];
  }

  all<Name extends keyof Tables>(
    table: Name,
    where: Where<Tables[Name]> = {},
    {
      order,
      desc = false,
      limit = Number.POSITIVE_INFINITY,
      offset = 0,
    }: ReadOptions<Tables[Name]> = {},
  ): Tables[Name][] {
    const rows = (this.tables[table] ?? [])
      .filter((row) => matches(row, where))
      .map((row) => structuredClone(row));
    if (order !== undefined) {
      const by = String([order].flat()[0]);
      rows.sort(
        (a, b) =>
          Number((a[by] as number) > (b[by] as number)) -
          Number((a[by] as number) < (b[by] as number)),
      );
    }
    if (desc) rows.reverse();
    // Only `commit` fills a table, and what it puts into one was checked to be a row of it.
    return rows.slice(offset, offset + limit) as Tables[Name][];
  }

  one<Name extends keyof Tables>(
    table: Name,
    where: Where<Tables[Name]>,
  ): Tables[Name] | undefined {
    return this.all(table, where)[0];
  }

  count<Name extends keyof Tables>(table: Name, where: Where<Tables[Name]> = {}): number {
    return this.all(table, where).length;
  }
}
