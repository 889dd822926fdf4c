import type { ReadOptions, TypedRows, Where } from '../../kernel/typedRows.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { ForgeChange } from '../../contract/forge/forge.ts';

type Row = Record<string, unknown>;

/** Columns that identify a row of a forge's table; those that a table lacks do not count. */
const KEYS = ['repo', 'number', 'id'];
/** Further key of a table without ids: one approval per person. */
const AUTHOR_KEYED = 'forge_reviews';

/** The forge's tables in memory, for a forge that is tried without a store. */
export class MemoryRows implements TypedRows<Tables> {
  readonly #tables = new Map<string, Map<string, Row>>();

  commit({ rows }: ForgeChange): void {
    for (const { table, row } of rows) {
      const keys = table === AUTHOR_KEYED ? [...KEYS, 'author'] : KEYS;
      const known = this.#tables.get(table) ?? new Map<string, Row>();
      const columns: Row = { ...row };
      known.set(JSON.stringify(keys.map((key) => columns[key])), columns);
      this.#tables.set(table, known);
    }
  }

  all<Name extends keyof Tables>(
    table: Name,
    where: Where<Tables[Name]> = {},
    { order, desc = false, limit, offset = 0 }: ReadOptions<Tables[Name]> = {},
  ): Tables[Name][] {
    const found = [...(this.#tables.get(table)?.values() ?? [])].filter((row) =>
      Object.entries(where).every(([column, value]) => row[column] === value),
    );
    const [by] = [order].flat();
    if (by !== undefined) {
      const column = String(by);
      found.sort((a, b) => (Number(a[column]) - Number(b[column])) * (desc ? -1 : 1));
    }
    const page = found.slice(offset, limit === undefined ? undefined : offset + limit);
    // Only `commit` fills a table, and it checks each row.
    return page.map((row) => ({ ...row }) as Tables[Name]);
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
