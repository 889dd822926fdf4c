import type { ActorIndex, DurableEvent, FrameDraft } from './chart.ts';
import type { RowChange } from './rowChange.ts';

/** A stored actor: the stamped snapshot and what the kernel needs to find it. */
export interface ActorRow {
  id: string;
  /** Why its row cannot be read; it is then neither stepped nor written. Left out = readable. */
  broken?: string;
  chart: string;
  version: number;
  /** JSON of XState's persisted snapshot. */
  snapshot: string;
  seq: number;
  /** Number of the last frame. */
  frameSeq: number;
  index: ActorIndex;
  createdAt: number;
  updatedAt: number;
  /** Since when the state value is unchanged, epoch ms. */
  since: number;
}

export interface ActorWrite extends ActorRow {
  /** Its stored index; null = a new actor. Default: unknown. */
  was?: ActorIndex | null;
}

export interface JournalRow {
  actor: string;
  seq: number;
  at: number;
  event: DurableEvent;
  /** State values passed through after the event, in order; the last is the final one. */
  path: string[];
  /** The step's effects, outbox or intrinsic: type and, for outbox rows, id. */
  effects: { type: string; id?: string }[];
  /** A line of the kernel's own (recovery): no step and no progress. */
  note: boolean;
}

export interface OutboxRow {
  effectId: string;
  actor: string;
  seq: number;
  type: string;
  params: unknown;
  /** Runs begun in a row without progress. */
  attempt: number;
  /** The actor's journal seq when the latest run began: later rows are progress. */
  startedSeq: number;
  /** Set by a clean stop: the next start counts no attempt. */
  cleanStop: boolean;
  /** Why `params` cannot be read; the effect is then given up. Left out = readable. */
  broken?: string;
}

export interface TimerRow {
  actor: string;
  name: string;
  due: number;
  event: DurableEvent;
}

/** An outside delivery to act on once: unique by (actor, source, externalId). */
export interface ReceivedRow {
  actor: string;
  source: string;
  externalId: string;
  at: number;
  /** Journal seq of its step. A refused delivery leaves no row, so it may come again. */
  seq: number;
}

/** A committed event between actors that is not delivered yet. */
export interface MailRow {
  id: string;
  to: string;
  event: DurableEvent;
}

export interface FrameRow extends FrameDraft {
  actor: string;
  n: number;
  at: number;
}

/** One group commit, written in one transaction or not at all. */
export interface Batch {
  generation: number;
  actors: ActorWrite[];
  journal: JournalRow[];
  outboxPut: OutboxRow[];
  outboxDone: string[];
  timersSet: TimerRow[];
  timersDrop: { actor: string; name: string }[];
  inbox: ReceivedRow[];
  mailPut: MailRow[];
  mailDone: string[];
  frames: FrameRow[];
  rows: RowChange[];
}

/** Where the kernel keeps its state. */
export interface DurableStore {
  /**
   * Why the store cannot take a row change, for people; null = no known reason. Called in every
   * step, so it must be fast. Left out = the commit tells.
   */
  rowProblem?(change: RowChange): string | null;
  /**
   * Takes a batch: when this returns, reads see it and the next may come. It is durable on return
   * or when the promise resolves; promises settle in order. A throw means that nothing was written;
   * after a rejection only the store knows: reads show what is durable, or throw. Later batches are
   * rejected too, or durable with it. `overlap`: the caller prefers to continue rather than wait
   * for the disk; default false.
   */
  commit(batch: Batch, overlap?: boolean): undefined | Promise<undefined>;
  /** Raises and returns the owner's generation; writes with an older one are then refused. */
  claim(): number;
  actor(id: string): ActorRow | undefined;
  inbox(actor: string, source: string, externalId: string): ReceivedRow | undefined;
  listPendingEffects(): OutboxRow[];
  listPendingMail(): MailRow[];
  /** Earliest timers first, at most `limit`. */
  timers(limit: number): TimerRow[];
  listTimers(actor: string): TimerRow[];
  /** The actor's journal has a row after `seq` that is not a note. */
  hasProgressed(actor: string, seq: number): boolean;
  journal(actor: string, after: number, limit: number): JournalRow[];
  frames(actor: string, after: number, limit: number): FrameRow[];
}
