import type { CommitNotice, Kernel } from '../durable/contract.ts';
import type { ActorList } from '../store/actorList.ts';

/**
 * Hands out the slots: at most `limit` jobs work at once, the one that has waited longest first. Nothing about slots is
 * stored: who holds one is read from the table, so a crash cannot leak one.
 */
export class Slots {
  readonly #kernel: Kernel;
  readonly #actors: ActorList;
  readonly #limit: number;
  readonly #onError: (error: unknown) => void;
  /** Granted but not yet seen in the table; without it a second look would grant the same slot twice. */
  readonly #granting = new Set<string>();

  constructor(kernel: Kernel, actors: ActorList, limit: number, onError: (error: unknown) => void) {
    this.#kernel = kernel;
    this.#actors = actors;
    this.#limit = limit;
    this.#onError = onError;
  }

  /** Looks again whenever a commit can have freed a slot or brought a job that waits for one. */
  watch(): () => void {
    return this.#kernel.onCommit((notice) => {
      if (concernsSlots(notice)) this.grant();
    });
  }

  /** Grants every free slot. */
  grant(): void {
    const free = this.#limit - this.#actors.slots() - this.#granting.size;
    if (free <= 0) return;
    const waiting = this.#actors.waiting(free + this.#granting.size).filter((id) => !this.#granting.has(id));
    for (const id of waiting.slice(0, free)) {
      this.#granting.add(id);
      this.#kernel
        .send(id, { type: 'slot.granted' })
        .catch(this.#onError)
        .finally(() => {
          this.#granting.delete(id);
        });
    }
  }

  /** How many jobs hold a slot now, and how many may. */
  use(): { used: number; limit: number } {
    return { used: this.#actors.slots(), limit: this.#limit };
  }
}

const concernsSlots = (notice: CommitNotice): boolean =>
  notice.steps.some(
    ({ before, after }) => before?.tags.includes('slot') !== after.tags.includes('slot') || 'queued' === after.value,
  );
