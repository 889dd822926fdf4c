import type { AnyMachineSnapshot } from 'xstate';
import type { ActorIndex, ActorState, DurableChart } from './chart.ts';
import { MAX_CONTEXT_BYTES } from './contract.ts';
import type { HotActor } from './hotActors.ts';
import { keptJson } from '../domain/keptJson.ts';
import { persist } from './restore.ts';
import type { ActorWrite } from './writer.ts';

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
/** Bytes of a UTF-16 unit in UTF-8, at most. */
const MAX_UNIT_BYTES = 3;

/** Whether the context, as JSON, is larger than allowed. */
export const isTooLarge = ({ context }: AnyMachineSnapshot): boolean =>
  exceedsLimit(keptJson(context));

const exceedsLimit = (json: string): boolean =>
  // Most need no exact count.
  json.length * MAX_UNIT_BYTES > MAX_CONTEXT_BYTES && utf8.encode(json).length > MAX_CONTEXT_BYTES;

/** The row to store. Null: the context is larger than allowed. */
export function rowOf(draft: Draft, now: number): ActorWrite | null {
  const { base, stepped, id, seq, frameSeq, index, createdAt, since } = draft;
  const was = base?.row.index;
  if (!stepped) {
    if (!base) throw new Error(`${id} was drafted without a start`);
    const { chart, version, snapshot } = base.row;
    const stamped = { id, chart, version, snapshot };
    return { ...stamped, seq, frameSeq, index, createdAt, updatedAt: now, since, was };
  }
  const { context, chart, version, snapshot } = persist(stepped.chart, stepped.snapshot);
  if (exceedsLimit(context)) return null;
  const stamped = { id, chart, version, snapshot };
  return { ...stamped, seq, frameSeq, index, createdAt, updatedAt: now, since, was };
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
