import type { AnyStateMachine, EventObject, StateValue } from 'xstate';
import type { AnyTables, RowChange, RowDrop, RowPatch, RowPut } from './rowChange.ts';

/**
 * Any event as the kernel stores it. `at` is stamped by the kernel (epoch ms) before the chart sees
 * the event.
 */
export interface DurableEvent extends EventObject {
  at?: number;
  [key: string]: unknown;
}

/** What the kernel knows of an actor's state: plain data, ready to be stored. */
export interface ActorState<Context = unknown> {
  id: string;
  chart: string;
  /** Number of the last journal row of this actor; 1 is its start. */
  seq: number;
  value: StateValue;
  /** XState tags of the configuration. */
  tags: readonly string[];
  status: 'active' | 'done';
  context: Context;
}

/**
 * The columns of an actor's row that lists are made from. What they mean is the chart's business;
 * the kernel only stores them and keeps them indexed.
 */
export interface ActorIndex {
  /** Free label for filtered lists, e.g. the public status. */
  label: string;
  /** A second label, e.g. what it is for. */
  kind: string;
  /** Id of the actor that this one belongs to. */
  parent: string | null;
  /** Whether it holds a slot now. */
  slot: boolean;
  /** Since when (epoch ms) it waits for a slot; null = it does not. */
  waitingSince: number | null;
  /** `live`: work in flight or soon; `parked`: waits for the outside; `ended`: final. */
  activity: 'live' | 'parked' | 'ended';
}

/**
 * A line of an actor's stream (log, state, usage, artefact): numbered and committed before anybody
 * is sent it.
 */
export interface FrameDraft {
  kind: string;
  data: Record<string, unknown>;
}

/** What answers to people need to know about a guard. */
export interface GuardNote {
  /**
   * True where the guard's value depends on the event, so that it cannot be evaluated before one is
   * there.
   */
  readsEvent: boolean;
  /** A sentence that is true when the guard passes: "the plan shown is the current one". */
  says: string;
}

/**
 * An effect that was given up: its port threw `attempts` times, its outcome could not be stored, or
 * restarts without progress used them up. After the last two it is unknown how far the port got.
 */
export interface GivenUpEffect {
  effectId: string;
  type: string;
  params: unknown;
  attempts: number;
  error: string;
  /** `code` of what the port threw last, where it has one. */
  code?: string;
  why: 'port-failed' | 'outcome-not-stored' | 'restarts-without-progress';
}

/**
 * A statechart that the kernel can run. The machine is pure: no invoke, no after, no delayed raise,
 * no spawn; guards are named; effects are named actions whose params are data.
 */
export interface DurableChart {
  /** Name under which snapshots are stored, e.g. `order`. */
  id: string;
  /** Whole number, raised with every change that old snapshots do not survive unaided. */
  version: number;
  /**
   * What the chart runs, in a sentence or two, for people who view it. Default: none.
   */
  about?: string;
  /** Version → what it brought, in a few words. Default: none. */
  versions?: Readonly<Record<number, string>>;
  machine: AnyStateMachine;
  /**
   * Every event type that it reacts to: who sends it, in one word or two. Internal ones included.
   */
  senders: Readonly<Record<string, string>>;
  guards: Readonly<Record<string, GuardNote>>;
  index(state: ActorState): ActorIndex;
  /**
   * Frames that a step writes by itself (`before` is undefined for the start). Also asked, with the
   * same state twice, when a start of the kernel runs effects of the actor again: `event` is then
   * its note `kernel.recovered`. Pure.
   */
  frames(before: ActorState | undefined, after: ActorState, event: DurableEvent): FrameDraft[];
  /**
   * Rows that a step writes by itself, in its commit (`before` is undefined for the start). Pure.
   * Default: none.
   */
  rows?(before: ActorState | undefined, after: ActorState, event: DurableEvent): RowChange[];
  /** The event that tells the chart of an effect that was given up. */
  givenUp(effect: GivenUpEffect): DurableEvent;
  /** From-version → function that makes the persisted snapshot of the next version. */
  migrations: Readonly<
    Record<number, (snapshot: Record<string, unknown>) => Record<string, unknown>>
  >;
}

/** Names of the effects that the kernel itself carries out, inside the commit. */
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
  /** `due` is epoch ms. A timer of the same name is replaced. */
  'timer.set': { name: string; due: number; event: DurableEvent };
  'timer.cancel': { name: string };
  /** An id that exists already: nothing happens. */
  'actor.start': { chart: string; id: string; input: unknown };
  /** Delivered once, durably, in a later commit. */
  'actor.send': { to: string; event: DurableEvent };
  'row.put': RowPut<Tables>;
  'row.patch': RowPatch<Tables>;
  'row.drop': RowDrop<Tables>;
  /** A line of the actor's stream, or of another's: in the same commit either way. */
  'frame.add': FrameDraft & { actor?: string };
}
