import type { CommitNotice, Kernel } from '../durable/contract.ts';
import type { Clock } from '../lib/clock.ts';
import type { ActorList } from '../store/actorList.ts';

const GRANT = 'slot.granted';
/** Wait before a job whose grant could not be written is looked at again, ms. */
const AGAIN_MS = 1_000;

export interface SlotsDeps {
  kernel: Kernel;
  actors: ActorList;
  clock: Clock;
  /** Jobs that may work at once. */
  limit: number;
  onError(error: unknown): void;
}

/**
 * Hands out the slots: at most `limit` jobs work at once, the one that has waited longest first. Nothing about slots is
 * stored: who holds one is read from the table, so a crash cannot leak one.
 */
export class Slots {
  readonly #deps: SlotsDeps;
  /** Granted but not yet seen in the table; without it a second look would grant the same slot twice. */
  readonly #granting = new Set<string>();
  /** Jobs whose grant failed, with what cancels their wait: one that cannot be granted must not keep the others waiting. */
  readonly #passedOver = new Map<string, () => void>();
  #stopped = false;

  constructor(deps: SlotsDeps) {
    this.#deps = deps;
  }

  /** Looks again whenever a commit can have freed a slot or brought a job that waits for one, until the returned function is called. */
  watch(): () => void {
    const unsubscribe = this.#deps.kernel.onCommit((notice) => {
      // In the table from now on: counted a second time as being granted, it would leave a slot free.
      for (const { id, journal } of notice.steps) if (journal.event.type === GRANT) this.#granting.delete(id);
      if (concernsSlots(notice)) this.grant();
    });
    return () => {
      unsubscribe();
      this.#stopped = true;
      for (const cancel of this.#passedOver.values()) cancel();
    };
  }

  /** Grants every free slot. */
  grant(): void {
    const { actors, limit } = this.#deps;
    if (this.#stopped) return;
    const free = limit - actors.slots() - this.#granting.size;
    if (free <= 0) return;
    const waiting = actors
      .waiting(free + this.#granting.size + this.#passedOver.size)
      .filter((id) => !this.#granting.has(id) && !this.#passedOver.has(id));
    for (const id of waiting.slice(0, free)) void this.#give(id);
  }

  /** How many jobs hold a slot now, and how many may. */
  use(): { used: number; limit: number } {
    return { used: this.#deps.actors.slots(), limit: this.#deps.limit };
  }

  async #give(id: string): Promise<void> {
    this.#granting.add(id);
    try {
      const { accepted } = await this.#deps.kernel.send(id, { type: GRANT });
      if (accepted) return;
    } catch (error) {
      this.#deps.onError(error);
      this.#passOver(id);
    }
    // No commit tells of a grant that was not taken.
    this.#granting.delete(id);
    this.grant();
  }

  #passOver(id: string): void {
    if (this.#stopped) return;
    const { clock } = this.#deps;
    const cancel = clock.at(clock.now() + AGAIN_MS, () => {
      this.#passedOver.delete(id);
      this.grant();
    });
    this.#passedOver.set(id, cancel);
  }
}

const concernsSlots = (notice: CommitNotice): boolean =>
  notice.steps.some(
    ({ before, after }) => before?.tags.includes('slot') !== after.tags.includes('slot') || 'queued' === after.value,
  );
