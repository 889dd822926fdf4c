import type { ActorIndex, ActorState, DurableChart, DurableEvent, FrameDraft } from './chart.ts';
import type { Ports } from './port.ts';
import type { SendResult, WhatIf, Why } from './questions.ts';
import type { AnyTables, RowChange } from './rowChange.ts';
import type { DurableStore, FrameRow, JournalRow } from './writer.ts';

/** Time and timers as the kernel wants them. */
export interface KernelClock {
  now(): number;
  at(atMs: number, run: () => void): () => void;
  /** Milliseconds of a clock that is never set. Left out: the time of day is never set back. */
  steady?(): number;
}

export interface Send {
  to: string;
  event: DurableEvent;
  /** With `externalId`: delivered once per (to, source, externalId); repeats are `duplicate`. */
  source?: string;
  externalId?: string;
}

/**
 * Things to do in one commit. Starts come before sends. `Tables`: those whose rows it may change;
 * default: any.
 */
export interface Submission<Tables extends object = AnyTables> {
  starts?: { chart: string; id: string; input: unknown }[];
  sends?: Send[];
  rows?: RowChange<Tables>[];
  frames?: { actor: string; frame: FrameDraft }[];
  /**
   * True: if a send is refused or a duplicate, or a start's id is taken, nothing is written.
   * Default false: what is not refused is written. The answer reports each part either way.
   */
  allOrNothing?: boolean;
}

export interface SubmitResult {
  started: { id: string; created: boolean }[];
  sends: SendResult[];
}

export interface IndexChange {
  id: string;
  /** As committed; undefined = the group starts the actor. */
  before: ActorIndex | undefined;
  after: ActorIndex;
  state: ActorState;
}

/** Sends that follow from a group's changes, in its commit. */
export interface FollowUp {
  /** Called after the group's own work. Pure but for reads: a group may be applied twice. */
  sends(changes: readonly IndexChange[]): Send[];
  /** The actor did not accept the event, or its chart threw. */
  onRefused(send: Send): void;
}

/** What observers get after each commit. A listener that throws does no harm. */
export interface CommitNotice {
  steps: { id: string; before: ActorState | undefined; after: ActorState; journal: JournalRow }[];
  frames: FrameRow[];
}

/** An inspection event in the format of `@statelyai/inspect`. */
export interface InspectionEvent {
  type: '@xstate.actor' | '@xstate.event' | '@xstate.snapshot';
  sessionId: string;
  createdAt: string;
  [key: string]: unknown;
}

export interface KernelOptions {
  store: DurableStore;
  charts: readonly DurableChart[];
  ports: Ports;
  clock: KernelClock;
  /** Default: nothing follows. */
  followUp?: FollowUp;
  /** Schedules the next group; default `setImmediate`. A simulation drives it by hand. */
  defer?: (flush: () => void) => void;
  /** Snapshots kept in memory besides those with work in flight; default 512. */
  hotActors?: number;
  /**
   * Waits before a port that threw is rerun, ms; default [100, 1000, 5000]. Then it is given up.
   */
  retryMs?: readonly number[];
  /** The same by effect type and error `code`, if any; undefined (the default) = `retryMs`. */
  getRetryDelays?(type: string, code: string | undefined): readonly number[] | undefined;
  /** Starts without progress until an effect is given up; default 5. */
  restartLimit?: number;
  /**
   * Whether another process, on another machine, has run these effects last: this start then counts no
   * attempt, since the effects did not end that one. Asked at the start; default: it has not.
   */
  isTakeover?(): boolean;
  /** Removes known secrets from an event's JSON before its chart sees it; null = unchanged. */
  screen: ((json: string) => string) | null;
  /**
   * Names of timers that measure a duration: they last no longer when the time of day is set back
   * while they run. Default: none; all others are due at a time of day.
   */
  durations?: ReadonlySet<string>;
  /** Called with an actor's id and the reason when its state cannot be read. */
  onUnreadable?: (id: string, why: string) => void;
  /** Receives errors without a caller: those of listeners, and late errors of ports. */
  onError?: (where: string, error: unknown) => void;
}

/** Runs durable charts. One per store. `Tables`: those that its users may change; default: any. */
export interface Kernel<Tables extends object = AnyTables> {
  /** Claims the store, reruns pending effects, delivers pending mail, sets timers. */
  start(): Promise<{ effects: number; mail: number; givenUp: number }>;
  /**
   * Refuses submissions, aborts effects, marks a clean stop. Ends after `graceMs` (at least half a
   * second), whatever ports and commits then still wait for; a commit may be written all the same.
   */
  stop(graceMs: number): Promise<void>;
  /** Answers after the commit. Rejects with KernelError when it fails or the kernel is stopping. */
  submit(submission: Submission<Tables>): Promise<SubmitResult>;
  send(
    to: string,
    event: DurableEvent,
    origin?: { source: string; externalId: string },
  ): Promise<SendResult>;
  /** The actor's committed state; undefined for an unknown id. */
  state(id: string): ActorState | undefined;
  can(id: string, event: DurableEvent): boolean;
  /** Throws KernelError `unknown-actor`. */
  why(id: string): Why;
  whatIf(id: string, event: DurableEvent): WhatIf;
  onCommit(listener: (notice: CommitNotice) => void): () => void;
  inspect(observer: (event: InspectionEvent) => void): () => void;
  /** Resolves when nothing waits to be written; effects may still run. */
  awaitFlushed(): Promise<void>;
  /** How many submissions are not answered yet. */
  countWaiting(): number;
}

export type CreateKernel = (options: KernelOptions) => Kernel;

export type KernelErrorCode =
  | 'unknown-actor'
  | 'unknown-chart'
  | 'chart-error'
  | 'commit-failed'
  | 'stopping'
  | 'context-too-large'
  | 'snapshot-unreadable';

/** What the kernel rejects with. `chart-error`: the chart threw; only that event is refused. */
export class KernelError extends Error {
  readonly code: KernelErrorCode;
  constructor(code: KernelErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'KernelError';
    this.code = code;
  }
}

/** Most bytes of an actor's context as JSON. */
export const MAX_CONTEXT_BYTES = 65_536;
