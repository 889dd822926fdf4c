import { AsyncLocalStorage } from 'node:async_hooks';
import { type BrokenRow, KERNEL_GUARD, type RowGuard } from './rowGuard.ts';

/** What a person does about an unreadable row. */
export const REPAIR = 'svc doctor --fix repairs it, while the runner is stopped.';

/** Most remembered rows; each is counted once. */
const MOST_BROKEN_ROWS = 1_000;

const toBrokenRowKey = (table: string, id: string): string => JSON.stringify([table, id]);

/**
 * Rows found unreadable. Readers report them here and show the rest; an answer can name those met
 * for its request.
 */
export class BrokenRows {
  readonly #known = new Map<string, BrokenRow>();
  readonly #met = new AsyncLocalStorage<Map<string, BrokenRow>>();
  readonly #report: (row: BrokenRow) => void;

  readonly guard: RowGuard;

  /**
   * `guard`: default: only the kernel's rows. `report`: called on the first meeting of each row;
   * default: not at all.
   */
  constructor(guard: RowGuard = KERNEL_GUARD, report: (row: BrokenRow) => void = () => {}) {
    this.guard = guard;
    this.#report = report;
  }

  /** Distinct rows per table, at most {@link MOST_BROKEN_ROWS} in all. */
  countByTable(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { table } of this.#known.values()) counts[table] = (counts[table] ?? 0) + 1;
    return counts;
  }

  /** Why a row is unreadable; null = not met, or readable. */
  findReason(table: string, id: string): string | null {
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

  /** Runs a function and returns the rows met meanwhile. */
  collect<T>(run: () => T): { value: T; listMet: () => BrokenRow[] } {
    const outer = this.#met.getStore();
    const metRows = new Map<string, BrokenRow>();
    const value = this.#met.run(metRows, run);
    return {
      value,
      listMet() {
        for (const [key, row] of metRows) outer?.set(key, row);
        return [...metRows.values()];
      },
    };
  }
}
