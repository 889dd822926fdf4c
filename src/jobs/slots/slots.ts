import type { FollowUp, IndexChange, Kernel, Send } from '../../kernel/contract.ts';
import type { Clock } from '../../shared/time/clock.ts';
import type { Admission, SlotGrant, AdmissionAnswer } from '../../policy/admission.ts';
import type { ActorState, DurableEvent } from '../../kernel/chart.ts';
import type { ActorList } from '../../kernel/sqlite/actorList.ts';

const GRANT = 'slot.granted';
/**
 * Wait before a job that did not take its grant, or whose grant could not be written, is checked
 * again, ms.
 */
const AGAIN_MS = 1_000;
/** Most jobs that one group asks about: bounds what a long line of jobs that have to wait costs. */
const MOST_ASKED = 200;

export interface SlotsDeps {
  actors: ActorList;
  clock: Clock;
  /** Jobs that may work at once. */
  limit: number;
  /** Asked in this order about a job whose turn it is; the first that does not let it go decides. */
  admissions: readonly Admission[];
  /** Whether no job may begin at all now; `look` when that is over. Default: never. */
  isShut(): boolean;
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
    // One that cannot be read is found out here: it must not keep its slot from the others.
    for (const id of this.#deps.actors.holders()) this.#stateOf(id);
    this.look();
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
    if (!this.#kernel || this.#deps.isShut()) return [];
    const moved = new Map(changes.filter(concernsSlots).map((change) => [change.id, change]));
    if (moved.size === 0 && this.#looks === 0) return [];
    const { actors, limit } = this.#deps;
    let free = limit - actors.slots();
    for (const { before, after } of moved.values())
      free += Number(before?.slot ?? false) - Number(after.slot);
    if (free <= 0) return [];
    // The table does not know yet what this group changes.
    const most = Math.max(free, MOST_ASKED);
    const waiting = actors
      .waiting(most + moved.size + this.#passedOver.size)
      .filter(({ id }) => !moved.has(id));
    for (const { id, after } of moved.values())
      if (after.waitingSince !== null) waiting.push({ id, since: after.waitingSince });
    const line = waiting
      .filter(({ id }) => !this.#passedOver.has(id))
      .sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1))
      .slice(0, most)
      .map(({ id }) => id);
    return this.#granted(line, free, changes);
  }

  /** Grants for the first `free` jobs of the line that may begin, and what parks others of it. */
  #granted(line: readonly string[], free: number, changes: readonly IndexChange[]): Send[] {
    const ask = this.#beginGroup(changes);
    const sends: Send[] = [];
    let left = free;
    let parked = 0;
    for (const to of line) {
      if (left === 0) return sends;
      const answer = ask(to);
      if (answer.kind === 'wait') continue;
      if (answer.kind === 'go') left -= 1;
      else parked += 1;
      sends.push({ to, event: toSlotEvent(answer) });
    }
    // Those that were parked were in the way of others that no one has asked about yet.
    if (parked > 0 && line.length >= MOST_ASKED) this.look();
    return sends;
  }

  #beginGroup(changes: readonly IndexChange[]): (id: string) => AdmissionAnswer {
    const groups = this.#deps.admissions.map((admission) => admission.beginGroup(changes));
    if (groups.length === 0) return () => GO;
    const states = new Map(changes.map(({ id, state }) => [id, state]));
    const admit = (job: ActorState): AdmissionAnswer => {
      const grant: SlotGrant = {};
      for (const ask of groups) {
        const answer = ask(job, grant);
        if (answer.kind !== 'go') return answer;
        Object.assign(grant, answer.grant);
      }
      return { kind: 'go', grant };
    };
    return (id) => {
      const job = states.get(id) ?? this.#stateOf(id);
      if (!job) return GO;
      try {
        return admit(job);
      } catch (error) {
        // What cannot be asked about one job, such as the caps of a campaign that cannot be read, holds up
        // that job alone.
        this.#deps.onError(error);
        return { kind: 'wait' };
      }
    };
  }

  /** Undefined for a job that this release cannot read: it does not take its grant. */
  #stateOf(id: string): ActorState | undefined {
    try {
      return this.#kernel?.state(id);
    } catch (error) {
      this.#deps.onError(error);
      return undefined;
    }
  }

  refused({ to }: Send): void {
    this.#passedOver.get(to)?.();
    this.#passedOver.set(
      to,
      this.#later(() => {
        this.#passedOver.delete(to);
        this.look();
      }),
    );
    // The slot that it did not take is the next one's.
    this.look();
  }

  /** Asks about all that wait, in a group in which nothing else happens. */
  look(): void {
    if (!this.#kernel) return;
    this.#looks += 1;
    this.#kernel
      .submit({})
      .catch((error: unknown) => {
        this.#deps.onError(error);
        this.#cancelLook();
        this.#cancelLook = this.#later(() => this.look());
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

const GO: AdmissionAnswer = { kind: 'go' };

const toSlotEvent = (answer: Exclude<AdmissionAnswer, { kind: 'wait' }>): DurableEvent =>
  answer.kind === 'go' ? { ...answer.grant, type: GRANT } : answer.event;
