import type { ActorIndex, ActorState, DurableChart, DurableEvent, FrameDraft } from './chart.ts';
import type { Ports } from './port.ts';
import type { SendResult, WhatIf, Why } from './questions.ts';
import type { AnyTables, RowChange } from './rowChange.ts';
import type { DurableStore, FrameRow, JournalRow } from './writer.ts';

/** Time and timers as the kernel wants them. */
export interface KernelClock {
  now(): number;
  at(atMs: number, run: () => void): () => void;
}

export interface Send {
  to: string;
  event: DurableEvent;
  /**
   * With `externalId`: delivered once per (to, source, externalId); a repeat answers `duplicate:
   * true`.
   */
  source?: string;
  externalId?: string;
}

/**
 * Things to do together: all their parts are in the same commit. Starts come before sends.
 * `Tables`: those whose rows it may change; default: any.
 */
export interface Submission<Tables extends object = AnyTables> {
  starts?: { chart: string; id: string; input: unknown }[];
  sends?: Send[];
  rows?: RowChange<Tables>[];
  frames?: { actor: string; frame: FrameDraft }[];
  /**
   * Default false: what is not refused is written. True: when a send is refused or is a duplicate,
   * or a start finds its id taken, nothing of the submission is written. The answer still says of
   * each part what it met.
   */
  allOrNothing?: boolean;
}

export interface Submitted {
  started: { id: string; created: boolean }[];
  sends: SendResult[];
}

/** An actor of a group whose indexed columns the group changes. */
export interface IndexChange {
  id: string;
  /** As committed; undefined where the group starts the actor. */
  before: ActorIndex | undefined;
  after: ActorIndex;
  /** As the group leaves it. */
  state: ActorState;
}

/** Sends that a group brings about by what it changes, and that are in its commit. */
export interface FollowUp {
  /**
   * Asked when the group's own work has been applied. Pure but for reads: a group may be applied
   * twice.
   */
  sends(changes: readonly IndexChange[]): Send[];
  /** The actor did not take the event, or its chart threw. */
  refused(send: Send): void;
}

/** What observers are given after each commit. A listener that throws does no harm. */
export interface CommitNotice {
  steps: { id: string; before: ActorState | undefined; after: ActorState; journal: JournalRow }[];
  frames: FrameRow[];
}

/** An inspection event in the shape that `@statelyai/inspect` understands. */
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
  /** When the next group is written; default `setImmediate`. A simulation drives it by hand. */
  defer?: (flush: () => void) => void;
  /** Snapshots kept in memory beside those with work in flight; default 512. */
  hotActors?: number;
  /**
   * Waits before a port that threw is run again, ms; default [100, 1000, 5000]. After the last it
   * is given up.
   */
  retryMs?: readonly number[];
  /**
   * The same for one type of effect and the `code` of the error that its port threw, where it has
   * one; undefined, the default = `retryMs`.
   */
  retriesOf?(type: string, code: string | undefined): readonly number[] | undefined;
  /** Starts without progress after which an effect is given up; default 5. */
  restartLimit?: number;
  /**
   * Takes known secrets out of an event's JSON, before its chart sees it; default: leaves it as it
   * is.
   */
  screen: ((json: string) => string) | null;
  /** Called when the state of an actor turns out to be unreadable: its id, and why. */
  onUnreadable?: (id: string, why: string) => void;
  /** Receives errors that have no caller: those of a listener, and a port's late error. */
  onError?: (where: string, error: unknown) => void;
}

/**
 * Runs durable charts. One per store. `Tables`: those whose rows its users may change; default:
 * any.
 */
export interface Kernel<Tables extends object = AnyTables> {
  /** Claims the store, runs pending effects again, delivers pending mail, arms timers. */
  start(): Promise<{ effects: number; mail: number; givenUp: number }>;
  /**
   * Takes no more submissions, aborts running effects, marks the stop as clean, waits at most
   * `graceMs` for ports.
   */
  stop(graceMs: number): Promise<void>;
  /**
   * Answers after the commit. Rejects with KernelError when the commit failed or the kernel is
   * stopping.
   */
  submit(submission: Submission<Tables>): Promise<Submitted>;
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
  /** Resolves when nothing waits to be written (effects may still run). */
  flushed(): Promise<void>;
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

/**
 * What the kernel rejects with. `chart-error`: a guard, assign or action threw; that event alone is
 * refused.
 */
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
