import type { ActorIndex } from '../chart.ts';
import type { ActorWrite } from '../writer.ts';
import type { Database } from './database.ts';

const toWaitingCount = (index: ActorIndex | null): number =>
  Number((index?.waitingSince ?? null) !== null);

/**
 * How many actors hold a slot, and how many wait for one: asked in every commit, so counted along.
 */
export class SlotCounts {
  readonly #db: Database;
  /** Undefined until it is asked for, and after a write that may have changed it in any way. */
  #counts: { used: number; waiting: number } | undefined;
  /** Actors that cannot be read. */
  readonly #leftOut = new Set<string>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** How many actors cannot be read: they hold no slot, and get none. */
  get leftOut(): number {
    return this.#leftOut.size;
  }

  isLeftOut(id: string): boolean {
    return this.#leftOut.has(id);
  }

  /** An actor cannot be read: it does nothing, so it must not keep a slot from the others. */
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

  /** What a transaction has written. */
  written(actors: readonly ActorWrite[]): void {
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
    const left = [...this.#leftOut].filter(
      (id) => this.#db.get(`SELECT 1 FROM actors WHERE id = ? AND ${where}`, id) !== undefined,
    );
    return all - left.length;
  }
}
