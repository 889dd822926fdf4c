import type { Fallback } from '../base/agents/fallback.ts';
import type { ActorState, DurableEvent } from '../kernel/chart.ts';
import type { IndexChange } from '../kernel/contract.ts';

export type SlotGrant = Readonly<Record<string, unknown>> & { readonly fallback?: Fallback };

export type AdmissionAnswer =
  /** The job gets the slot; `grant`: further fields of `slot.granted`. */
  | { kind: 'go'; grant?: SlotGrant }
  /** The job leaves the queue: this event parks it, and the next one gets the slot. */
  | { kind: 'park'; event: DurableEvent }
  /** The job keeps its place until slots change; the next one gets the slot. */
  | { kind: 'wait' };

export interface Admission {
  /**
   * Begins the questions of one group, whose changes the store does not have yet. Pure except for
   * reads, since a group may be applied twice: an allowed job counts for the next answers of the
   * same group, and for nothing else. `grant`: the part of `slot.granted` from earlier rules.
   */
  beginGroup(
    changes: readonly IndexChange[],
  ): (job: ActorState, grant: SlotGrant) => AdmissionAnswer;
}
