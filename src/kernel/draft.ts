import type { AnyMachineSnapshot } from 'xstate';
import type { ActorIndex, ActorState, DurableChart } from './chart.ts';
import { MAX_CONTEXT_BYTES } from './contract.ts';
import type { HotActor } from './hotActors.ts';
import { stringifyWithCache } from '../base/json/stringifyWithCache.ts';
import { persist, type StampedSnapshot } from './restore.ts';
import type { ActorWrite } from './writer.ts';

/** An actor as the present group has left it. Never changed in place, so undo is possible. */
export interface Draft {
  id: string;
  base: HotActor | undefined;
  /** Set once the chart has stepped; else the base's snapshot counts. */
  stepped:
    | { chart: DurableChart; snapshot: AnyMachineSnapshot; state: ActorState; text: string }
    | undefined;
  seq: number;
  frameSeq: number;
  index: ActorIndex;
  createdAt: number;
  since: number;
}

export const createActorDraft = (base: HotActor): Draft => ({
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
/** Most UTF-8 bytes of a UTF-16 unit. */
const MAX_UNIT_BYTES = 3;

/** Whether the context as JSON exceeds the limit. */
export const isTooLarge = ({ context }: AnyMachineSnapshot): boolean =>
  exceedsLimit(stringifyWithCache(context));

const exceedsLimit = (json: string): boolean =>
  // Most contexts need no exact count.
  json.length * MAX_UNIT_BYTES > MAX_CONTEXT_BYTES && utf8.encode(json).length > MAX_CONTEXT_BYTES;

/** The row to store; null = the context exceeds the limit. */
export function toActorWrite(draft: Draft, now: number): ActorWrite | null {
  const { base, stepped } = draft;
  if (!stepped) {
    if (!base) throw new Error(`${draft.id} was drafted without a start`);
    return buildActorWrite(draft, base.stored, now);
  }
  const stamped = persist(stepped.chart, stepped.snapshot);
  return exceedsLimit(stamped.context) ? null : buildActorWrite(draft, stamped, now);
}

/** One literal without a leading spread, which takes V8 six times as long at every step. */
const buildActorWrite = (draft: Draft, stamped: StampedSnapshot, now: number): ActorWrite => ({
  id: draft.id,
  chart: stamped.chart,
  version: stamped.version,
  snapshot: stamped.snapshot,
  seq: draft.seq,
  frameSeq: draft.frameSeq,
  index: draft.index,
  createdAt: draft.createdAt,
  updatedAt: now,
  since: draft.since,
  was: draft.base ? draft.base.row.index : null,
});

/** Keeps the committed index object if unchanged, so that the store can compare by identity. */
export function reuseActorIndex(before: ActorIndex | undefined, after: ActorIndex): ActorIndex {
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
