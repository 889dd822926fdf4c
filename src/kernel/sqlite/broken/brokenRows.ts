import { AsyncLocalStorage } from 'node:async_hooks';
import { type BrokenRow, KERNEL_GUARD, type RowGuard } from './rowGuard.ts';

/** What a person does about a row that cannot be read. */
export const REPAIR = 'svc doctor --fix repairs it, while the runner is stopped.';

/** Most rows that are remembered; one that is met again is counted once. */
const MOST_BROKEN_ROWS = 1_000;

const toBrokenRowKey = (table: string, id: string): string => JSON.stringify([table, id]);

/**
 * Rows of the state that were met and could not be read. Each reader reports them here and shows
 * everything else; what is answered to a request can name those that were met for it.
 */
export class BrokenRows {
  readonly #known = new Map<string, BrokenRow>();
  readonly #met = new AsyncLocalStorage<Map<string, BrokenRow>>();
  readonly #report: (row: BrokenRow) => void;

  /** Which rows these are. */
  readonly guard: RowGuard;

  /**
   * `guard`: default: of the kernel's own rows. `report`: called for each row when it is met for the
   * first time; default: not at all.
   */
  constructor(guard: RowGuard = KERNEL_GUARD, report: (row: BrokenRow) => void = () => {}) {
    this.guard = guard;
    this.#report = report;
  }

  /** How many different rows were met of each table, at most {@link MOST_BROKEN_ROWS} in all. */
  countByTable(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { table } of this.#known.values()) counts[table] = (counts[table] ?? 0) + 1;
    return counts;
  }

  /** Why a row cannot be read; null = it was not met, or could be read. */
  reasonOf(table: string, id: string): string | null {
    return this.#known.get(toBrokenRowKey(table, id))?.reason ?? null;
  }

  add(row: BrokenRow): void {
    const key = toBrokenRowKey(row.table, row.id);
    this.#met.getStore()?.set(key, row);
    // Readers word the same damage differently: the first reason stays.
    if (this.#known.has(key) || this.#known.size >= MOST_BROKEN_ROWS) return;
    this.#known.set(key, row);
    this.#report(row);
  }

  /** Runs something, and answers which rows were met meanwhile for it. */
  collect<T>(run: () => T): { value: T; met: () => BrokenRow[] } {
    const outer = this.#met.getStore();
    const met = new Map<string, BrokenRow>();
    const value = this.#met.run(met, run);
    return {
      value,
      met() {
        for (const [key, row] of met) outer?.set(key, row);
        return [...met.values()];
      },
    };
  }
}
