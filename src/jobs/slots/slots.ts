import type { FollowUp, IndexChange, Kernel, Send } from '../../kernel/contract.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Admission, SlotGrant, AdmissionAnswer } from '../../policy/admission.ts';
import type { ActorState, DurableEvent } from '../../kernel/chart.ts';
import type { ActorList } from '../../kernel/sqlite/actorList.ts';

const GRANT = 'slot.granted';
/**
 * Wait before a job that did not take its grant, or whose grant could not be written, is checked
 * again, ms.
 */
const AGAIN_MS = 1_000;
/** Most jobs checked per group, which limits the cost of a long queue. */
const MOST_ASKED = 200;

export interface SlotsDeps {
  actors: ActorList;
  clock: Clock;
  limit: number;
  /** Checked in this order for the job whose turn it is; the first refusal counts. */
  admissions: readonly Admission[];
  /** Whether no job may begin now; call `look` when that ends. Default: never. */
  isShut(): boolean;
  onError(error: unknown): void;
}

/**
 * Hands out the slots: at most `limit` jobs work at once, the one that has waited longest first. A
 * slot is granted in the commit that frees it or that queues a job, so no slot is ever given but
 * not taken. Slots are not stored: the table shows who holds one, so a crash cannot leak one.
 */
export class Slots implements FollowUp {
  readonly #deps: SlotsDeps;
  /**
   * Jobs that did not take their grant, with the function that cancels their wait: they must not
   * block the others.
   */
  readonly #passedOver = new Map<string, () => void>();
  #kernel: Kernel | undefined;
  /** Pending looks at waiting jobs without a change. */
  #looks = 0;
  #cancelLook = () => {};

  constructor(deps: SlotsDeps) {
    this.#deps = deps;
  }

  /** Grants slots in the kernel's commits until `stop`, beginning with those that are free now. */
  start(kernel: Kernel): void {
    this.#kernel = kernel;
    // An unreadable holder is found here, so that it does not keep its slot from the others.
    for (const id of this.#deps.actors.holders()) this.#readState(id);
    this.look();
  }

  stop(): void {
    this.#kernel = undefined;
    this.#cancelLook();
    for (const cancel of this.#passedOver.values()) cancel();
  }

  use(): { used: number; limit: number } {
    return { used: this.#deps.actors.slots(), limit: this.#deps.limit };
  }

  sends(changes: readonly IndexChange[]): Send[] {
    if (!this.#kernel || this.#deps.isShut()) return [];
    const slotChanges = new Map(changes.filter(concernsSlots).map((change) => [change.id, change]));
    if (slotChanges.size === 0 && this.#looks === 0) return [];
    const { actors, limit } = this.#deps;
    let free = limit - actors.slots();
    for (const { before, after } of slotChanges.values())
      free += Number(before?.slot ?? false) - Number(after.slot);
    if (free <= 0) return [];
    // The table does not yet contain this group's changes.
    const most = Math.max(free, MOST_ASKED);
    const waiting = actors
      .listWaiting(most + slotChanges.size + this.#passedOver.size)
      .filter(({ id }) => !slotChanges.has(id));
    for (const { id, after } of slotChanges.values())
      if (after.waitingSince !== null) waiting.push({ id, since: after.waitingSince });
    const line = waiting
      .filter(({ id }) => !this.#passedOver.has(id))
      .sort((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1))
      .slice(0, most)
      .map(({ id }) => id);
    return this.#grantSlots(line, free, changes);
  }

  /** Grants for the first `free` jobs that may begin, and parking of those that may not. */
  #grantSlots(line: readonly string[], free: number, changes: readonly IndexChange[]): Send[] {
    const ask = this.#beginGroup(changes);
    const sends: Send[] = [];
    let freeSlots = free;
    let parkedCount = 0;
    for (const to of line) {
      if (freeSlots === 0) return sends;
      const answer = ask(to);
      if (answer.kind === 'wait') continue;
      if (answer.kind === 'go') freeSlots -= 1;
      else parkedCount += 1;
      sends.push({ to, event: toSlotEvent(answer) });
    }
    // Parked jobs were ahead of others that have not been checked yet.
    if (parkedCount > 0 && line.length >= MOST_ASKED) this.look();
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
      const job = states.get(id) ?? this.#readState(id);
      if (!job) return GO;
      try {
        return admit(job);
      } catch (error) {
        // An error about one job, such as unreadable caps of its campaign, holds up that job alone.
        this.#deps.onError(error);
        return { kind: 'wait' };
      }
    };
  }

  /** Undefined for a job that this release cannot read; it does not take its grant. */
  #readState(id: string): ActorState | undefined {
    try {
      return this.#kernel?.state(id);
    } catch (error) {
      this.#deps.onError(error);
      return undefined;
    }
  }

  onRefused({ to }: Send): void {
    this.#passedOver.get(to)?.();
    this.#passedOver.set(
      to,
      this.#scheduleRetry(() => {
        this.#passedOver.delete(to);
        this.look();
      }),
    );
    // The slot that it did not take goes to the next job.
    this.look();
  }

  /** Checks all waiting jobs in a group without other events. */
  look(): void {
    if (!this.#kernel) return;
    this.#looks += 1;
    this.#kernel
      .submit({})
      .catch((error: unknown) => {
        this.#deps.onError(error);
        this.#cancelLook();
        this.#cancelLook = this.#scheduleRetry(() => this.look());
      })
      .finally(() => {
        this.#looks -= 1;
      });
  }

  #scheduleRetry(run: () => void): () => void {
    const { clock } = this.#deps;
    return clock.at(clock.now() + AGAIN_MS, run);
  }
}

const concernsSlots = ({ before, after }: IndexChange): boolean =>
  before?.slot !== after.slot || before?.waitingSince !== after.waitingSince;

const GO: AdmissionAnswer = { kind: 'go' };

const toSlotEvent = (answer: Exclude<AdmissionAnswer, { kind: 'wait' }>): DurableEvent =>
  answer.kind === 'go' ? { ...answer.grant, type: GRANT } : answer.event;
