import type { RowChange } from '../durable/chart.ts';
import type { RowReader } from '../store/rowReader.ts';

/** Older names that still work, and what to write instead. */
export const DEPRECATED_NAMES = {
  'query campaignParentId': 'query parentJobId',
  'status awaiting-children': 'status awaiting-sub-runs',
  'path /jobs/:jobId/children': 'path /jobs/:jobId/sub-runs',
} as const;
export type DeprecatedName = keyof typeof DEPRECATED_NAMES;

interface UseRow {
  name: string;
  uses: number;
  last_used_at: number;
}

/** How often an older name was used on this home, so that it can be removed once nobody uses it. */
export interface DeprecatedUse {
  name: string;
  instead: string;
  uses: number;
  /** ISO 8601. */
  lastUsedAt: string;
}

/** Counts the uses of older names; the counts outlive the process. */
export class DeprecatedNames {
  readonly #write: (rows: RowChange[]) => void;
  readonly #now: () => number;
  readonly #uses: Map<string, UseRow>;

  constructor(rows: RowReader, write: (rows: RowChange[]) => void, now: () => number) {
    this.#write = write;
    this.#now = now;
    this.#uses = new Map(rows.all<UseRow>('deprecated_uses').map((row) => [row.name, row]));
  }

  used(name: DeprecatedName): void {
    const row = { name, uses: (this.#uses.get(name)?.uses ?? 0) + 1, last_used_at: this.#now() };
    this.#uses.set(name, row);
    this.#write([{ op: 'put', table: 'deprecated_uses', row }]);
  }

  /** Those that were used, the latest first. */
  list(): DeprecatedUse[] {
    return [...this.#uses.values()]
      .sort((a, b) => b.last_used_at - a.last_used_at)
      .map(({ name, uses, last_used_at }) => ({
        name,
        instead: DEPRECATED_NAMES[name as DeprecatedName] ?? 'nothing: it is gone',
        uses,
        lastUsedAt: new Date(last_used_at).toISOString(),
      }));
  }
}
