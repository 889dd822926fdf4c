import type { FollowUp, IndexChange, Kernel, Send } from '../durable/contract.ts';
import type { Clock } from '../lib/clock.ts';
import type { ActorList } from '../durable/sqlite/actorList.ts';

const GRANT = 'slot.granted';
/**
 * Wait before a job that did not take its grant, or whose grant could not be written, is checked
 * again, ms.
 */
const AGAIN_MS = 1_000;

export interface SlotsDeps {
  actors: ActorList;
  clock: Clock;
  /** Jobs that may work at once. */
  limit: number;
  onError(error: unknown): void;
}

/**
 * Hands out the slots: at most `limit` jobs work at once, the one that has waited longest first. A
 * slot is granted in the commit that frees it or that brings a job to wait for it: there is no
 * instant at which a slot is given and not yet taken. Nothing about slots is stored: who holds one
 * is read from the table, so a crash cannot leak one.
 */
export class Slots implements FollowUp {
  readonly #deps: SlotsDeps;
  /**
   * Jobs that did not take their grant, with what cancels their wait: they must not keep the others
   * waiting.
   */
  readonly #passedOver = new Map<string, () => void>();
  #kernel: Kernel | undefined;
  /** Looks under way at what waits although nothing changes. */
  #looks = 0;
  #cancelLook = () => {};

  constructor(deps: SlotsDeps) {
    this.#deps = deps;
  }

  /**
   * Grants slots in the kernel's commits from now on, beginning with those that are free now, until
   * `stop`.
   */
  start(kernel: Kernel): void {
    this.#kernel = kernel;
    this.#look();
  }

  stop(): void {
    this.#kernel = undefined;
    this.#cancelLook();
    for (const cancel of this.#passedOver.values()) cancel();
  }

  /** How many jobs hold a slot now, and how many may. */
  use(): { used: number; limit: number } {
    return { used: this.#deps.actors.slots(), limit: this.#deps.limit };
  }

  sends(changes: readonly IndexChange[]): Send[] {
    if (!this.#kernel) return [];
    const moved = new Map(changes.filter(concernsSlots).map((change) => [change.id, change]));
    if (moved.size === 0 && this.#looks === 0) return [];
    const { actors, limit } = this.#deps;
    let free = limit - actors.slots();
    for (const { before, after } of moved.values())
      free += Number(before?.slot ?? false) - Number(after.slot);
    if (free <= 0) return [];
    // The table does not know yet what this group changes.
    const waiting = actors
      .waiting(free + moved.size + this.#passedOver.size)
      .filter(({ id }) => !moved.has(id));
    for (const { id, after } of moved.values())
      if (after.waitingSince !== null) waiting.push({ id, since: after.waitingSince });
    return waiting
      .filter(({ id }) => !this.#passedOver.has(id))
      .sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1))
      .slice(0, free)
      .map(({ id }) => ({ to: id, event: { type: GRANT } }));
  }

  refused({ to }: Send): void {
    this.#passedOver.get(to)?.();
    this.#passedOver.set(
      to,
      this.#later(() => {
        this.#passedOver.delete(to);
        this.#look();
      }),
    );
    // The slot that it did not take is the next one's.
    this.#look();
  }

  /** A group in which nothing else happens. */
  #look(): void {
    if (!this.#kernel) return;
    this.#looks += 1;
    this.#kernel
      .submit({})
      .catch((error: unknown) => {
        this.#deps.onError(error);
        this.#cancelLook();
        this.#cancelLook = this.#later(() => this.#look());
      })
      .finally(() => {
        this.#looks -= 1;
      });
  }

  #later(run: () => void): () => void {
    const { clock } = this.#deps;
    return clock.at(clock.now() + AGAIN_MS, run);
  }
}

const concernsSlots = ({ before, after }: IndexChange): boolean =>
  before?.slot !== after.slot || before?.waitingSince !== after.waitingSince;
