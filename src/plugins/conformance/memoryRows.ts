import type { ForgeChange } from '../../contract/forge.ts';
import type { RowSource } from '../../contract/rowSource.ts';

type Row = Record<string, unknown>;
type Where = Parameters<RowSource['all']>[1];

/** What tells a row of a forge's table from another; columns that a table lacks do not count. */
const KEYS = ['repo', 'number', 'id'];
/** Further key of tables without ids: one approval a person. */
const AUTHOR_KEYED = 'forge_reviews';

/** The forge's tables in memory, for a forge that is tried without a store. */
export class MemoryRows implements RowSource {
  readonly #tables = new Map<string, Map<string, Row>>();

  /** Does what a caller of the forge does with a change: commits its rows. */
  commit({ rows }: ForgeChange): void {
    for (const { table, row } of rows) {
      const keys = table === AUTHOR_KEYED ? [...KEYS, 'author'] : KEYS;
      const known = this.#tables.get(table) ?? new Map<string, Row>();
      known.set(JSON.stringify(keys.map((key) => row[key])), { ...row });
      this.#tables.set(table, known);
    }
  }

  all<T>(table: string, where: Where, { order, desc = false, limit, offset = 0 }: Parameters<RowSource['all']>[2] = {}): T[] {
    const found = [...(this.#tables.get(table)?.values() ?? [])].filter((row) =>
      Object.entries(where).every(([column, value]) => row[column] === value),
    );
    if (order !== undefined) found.sort((a, b) => (Number(a[order]) - Number(b[order])) * (desc ? -1 : 1));
    return found.slice(offset, limit === undefined ? undefined : offset + limit).map((row) => ({ ...row }) as T);
  }

  one<T>(table: string, where: Where): T | undefined {
    return this.all<T>(table, where)[0];
  }

  count(table: string, where: Where): number {
    return this.all(table, where).length;
  }
}
