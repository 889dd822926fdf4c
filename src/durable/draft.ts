import type { AnyMachineSnapshot } from 'xstate';
import type { ActorIndex, ActorState, DurableChart } from './chart.ts';
import { MAX_CONTEXT_BYTES } from './contract.ts';
import type { HotActor } from './hotActors.ts';
import { persist } from './restore.ts';
import type { ActorRow } from './writer.ts';

/**
 * An actor as the group that is being applied has left it so far. Never changed in place: undoing
 * puts the older one back.
 */
export interface Draft {
  id: string;
  base: HotActor | undefined;
  /** Set once the chart stepped; else the snapshot is the base's. */
  stepped:
    | { chart: DurableChart; snapshot: AnyMachineSnapshot; state: ActorState; text: string }
    | undefined;
  seq: number;
  frameSeq: number;
  index: ActorIndex;
  createdAt: number;
  since: number;
}

export const draftOf = (base: HotActor): Draft => ({
  id: base.row.id,
  base,
  stepped: undefined,
  seq: base.row.seq,
  frameSeq: base.row.frameSeq,
  index: base.row.index,
  createdAt: base.row.createdAt,
  since: base.row.since,
});

const utf8 = new TextEncoder();

/** Bytes of the context as JSON. */
export const contextBytes = (snapshot: AnyMachineSnapshot): number =>
  utf8.encode(JSON.stringify(snapshot.context)).length;

/** The row to store. Null: the context is larger than allowed. */
export function rowOf(draft: Draft, now: number): ActorRow | null {
  const { base, stepped, id, seq, frameSeq, index, createdAt, since } = draft;
  const head = { id, seq, frameSeq, index, createdAt, since, updatedAt: now };
  if (!stepped) {
    if (!base) throw new Error(`${id} was drafted without a start`);
    const { chart, version, snapshot } = base.row;
    return { ...head, chart, version, snapshot };
  }
  const stamped = persist(stepped.chart, stepped.snapshot);
  // A UTF-16 unit is at most three bytes: most snapshots need no exact count.
  if (
    stamped.snapshot.length * 3 > MAX_CONTEXT_BYTES &&
    contextBytes(stepped.snapshot) > MAX_CONTEXT_BYTES
  )
    return null;
  return { ...head, ...stamped };
}

/**
 * Keeps the committed index object where nothing in it changed, so that the store can tell at a
 * glance.
 */
export function sameIndex(before: ActorIndex | undefined, after: ActorIndex): ActorIndex {
  if (
    before &&
    before.label === after.label &&
    before.kind === after.kind &&
    before.parent === after.parent &&
    before.slot === after.slot &&
    before.waitingSince === after.waitingSince &&
    before.activity === after.activity
  ) {
    return before;
  }
  return after;
}
