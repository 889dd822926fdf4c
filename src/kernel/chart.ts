import type { AnyStateMachine, EventObject, StateValue } from 'xstate';
import type { AnyTables, RowChange, RowDrop, RowPatch, RowPut } from './rowChange.ts';

/** An event as the kernel stores it. The kernel sets `at` (epoch ms) before the chart sees it. */
export interface DurableEvent extends EventObject {
  at?: number;
  [key: string]: unknown;
}

/** The kernel's view of an actor: plain data, ready to be stored. */
export interface ActorState<Context = unknown> {
  id: string;
  chart: string;
  /** Number of the actor's last journal row; 1 is its start. */
  seq: number;
  value: StateValue;
  tags: readonly string[];
  status: 'active' | 'done';
  context: Context;
}

/** Indexed columns for lists. The chart decides what they mean; the kernel only stores them. */
export interface ActorIndex {
  /** Label for filtered lists, such as the public status. */
  label: string;
  /** A second label, such as the type. */
  kind: string;
  parent: string | null;
  slot: boolean;
  /** Since when it waits for a slot, epoch ms; null = it does not. */
  waitingSince: number | null;
  /** `live`: work in flight or soon; `parked`: waits for the outside; `ended`: final. */
  activity: 'live' | 'parked' | 'ended';
}

/** A line of an actor's stream (log, state, usage, artefact): committed before it is sent. */
export interface FrameDraft {
  kind: string;
  data: Record<string, unknown>;
}

/** What people read about a guard. */
export interface GuardNote {
  /** The guard reads the event, so it cannot be evaluated before one exists. */
  readsEvent: boolean;
  /** A sentence that is true when the guard passes: "the plan shown is the current one". */
  says: string;
}

/**
 * An effect that was given up: its port threw `attempts` times, its outcome could not be stored, or
 * restarts without progress used them up. In the last two cases it is unknown how far the port got.
 */
export interface GivenUpEffect {
  effectId: string;
  type: string;
  params: unknown;
  attempts: number;
  error: string;
  /** `code` of the port's last error, if any. */
  code?: string;
  why: 'port-failed' | 'outcome-not-stored' | 'restarts-without-progress';
}

/**
 * A statechart for the kernel. Pure: no invoke, after, delayed raise or spawn; guards are named;
 * effects are named actions with data as params.
 */
export interface DurableChart {
  /** Name under which snapshots are stored, e.g. `order`. */
  id: string;
  /** Whole number; raised with every change that old snapshots do not survive unmigrated. */
  version: number;
  /** What the chart runs, in one or two sentences for people. Default: none. */
  about?: string;
  /** Version → what it brought, in a few words. Default: none. */
  versions?: Readonly<Record<number, string>>;
  machine: AnyStateMachine;
  /**
   * Members of the context that many actors have alike, such as a workflow: those of equal text are
   * one object, which is frozen. Default: none.
   */
  shared?: readonly string[];
  /** Every event type it handles, internal ones included → who sends it, in one or two words. */
  senders: Readonly<Record<string, string>>;
  guards: Readonly<Record<string, GuardNote>>;
  index(state: ActorState): ActorIndex;
  /**
   * Frames of a step (`before` undefined for the start). Also called, with one state twice and the
   * note `kernel.recovered`, when a kernel start reruns the actor's effects. Pure.
   */
  frames(before: ActorState | undefined, after: ActorState, event: DurableEvent): FrameDraft[];
  /** Rows of a step, in its commit (`before` undefined for the start). Pure. Default: none. */
  rows?(before: ActorState | undefined, after: ActorState, event: DurableEvent): RowChange[];
  createGivenUpEvent(effect: GivenUpEffect): DurableEvent;
  /** From-version → conversion of its persisted snapshot to the next version. */
  migrations: Readonly<
    Record<number, (snapshot: Record<string, unknown>) => Record<string, unknown>>
  >;
}

/** Effects that the kernel itself carries out within the commit. */
export const INTRINSICS = [
  'timer.set',
  'timer.cancel',
  'actor.start',
  'actor.send',
  'row.put',
  'row.patch',
  'row.drop',
  'frame.add',
] as const;

/** Params of the kernel's own effects. `Tables`: those that the charts change; default: any. */
export interface IntrinsicParams<Tables extends object = AnyTables> {
  /** `due`: epoch ms. Replaces a timer of the same name. */
  'timer.set': { name: string; due: number; event: DurableEvent };
  'timer.cancel': { name: string };
  /** Does nothing if the id exists. */
  'actor.start': { chart: string; id: string; input: unknown };
  /** Delivered once, durably, in a later commit. */
  'actor.send': { to: string; event: DurableEvent };
  'row.put': RowPut<Tables>;
  'row.patch': RowPatch<Tables>;
  'row.drop': RowDrop<Tables>;
  /** A line of this or another actor's stream, in the same commit. */
  'frame.add': FrameDraft & { actor?: string };
}
