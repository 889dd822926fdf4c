import type { Fallback } from '../shared/agents/fallback.ts';
import type { ActorState, DurableEvent } from '../kernel/chart.ts';
import type { IndexChange } from '../kernel/contract.ts';

/** What `slot.granted` carries. */
export type SlotGrant = Readonly<Record<string, unknown>> & { readonly fallback?: Fallback };

/** What becomes of a job whose turn it is. */
export type AdmissionAnswer =
  /** It gets the slot; `grant`: what `slot.granted` carries beside. */
  | { kind: 'go'; grant?: SlotGrant }
  /** It leaves the line: this event parks it, and the slot is the next one's. */
  | { kind: 'park'; event: DurableEvent }
  /** It keeps its place and is asked again when slots change; the slot is the next one's. */
  | { kind: 'wait' };

/** A rule beside the number of slots about which jobs may begin. */
export interface Admission {
  /**
   * Begins the questions of one group, whose changes the store does not know yet. Pure but for
   * reads, as a group may be applied twice: what one answer allows counts for the next answers of
   * the same group, and for nothing else. `granted`: what `slot.granted` carries of the rules that
   * were asked before.
   */
  beginGroup(
    changes: readonly IndexChange[],
  ): (job: ActorState, granted: SlotGrant) => AdmissionAnswer;
}
