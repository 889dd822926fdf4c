import type { ActorIndex } from '../chart.ts';
import type { ActorWrite } from '../writer.ts';
import type { Database } from './database.ts';

const toWaitingCount = (index: ActorIndex | null): number =>
  Number((index?.waitingSince ?? null) !== null);

/** How many actors hold or wait for a slot: read in every commit, so kept as counters. */
export class SlotCounts {
  readonly #db: Database;
  /** Undefined until asked for, and after a write with unknown effect on it. */
  #counts: { used: number; waiting: number } | undefined;
  /** Unreadable actors. */
  readonly #leftOut = new Set<string>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** Number of unreadable actors: they hold no slot and get none. */
  get leftOut(): number {
    return this.#leftOut.size;
  }

  isLeftOut(id: string): boolean {
    return this.#leftOut.has(id);
  }

  /** An unreadable actor does nothing, so it must not occupy a slot. */
  leaveOut(id: string): void {
    if (this.#leftOut.has(id)) return;
    this.#leftOut.add(id);
    this.forget();
  }

  get used(): number {
    return this.#known().used;
  }

  get waiting(): number {
    return this.#known().waiting;
  }

  noteWrites(actors: readonly ActorWrite[]): void {
    for (const { index, was } of actors) {
      if (!this.#counts) return;
      if (was === undefined) {
        this.forget();
      } else {
        this.#counts.used += Number(index.slot) - Number(was?.slot ?? false);
        this.#counts.waiting += toWaitingCount(index) - toWaitingCount(was);
      }
    }
  }

  forget(): void {
    this.#counts = undefined;
  }

  #known(): { used: number; waiting: number } {
    this.#counts ??= {
      used: this.#count('slot = 1'),
      waiting: this.#count('waiting_since IS NOT NULL'),
    };
    return this.#counts;
  }

  #count(where: string): number {
    const all = Number(this.#db.get(`SELECT count(*) AS n FROM actors WHERE ${where}`)?.n);
    const remainingIds = [...this.#leftOut].filter(
      (id) => this.#db.get(`SELECT 1 FROM actors WHERE id = ? AND ${where}`, id) !== undefined,
    );
    return all - remainingIds.length;
  }
}
