import type { ActorIndex, DurableEvent, FrameDraft } from './chart.ts';
import type { RowChange } from './rowChange.ts';

/** An actor as stored: the stamped snapshot and what the kernel needs to find it. */
export interface ActorRow {
  id: string;
  /** Why its row cannot be read: it is not stepped, and nothing of it is written. Left out = it can be. */
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
  /** Since when (epoch ms) the state value is what it is. */
  since: number;
}

/** An actor to write. */
export interface ActorWrite extends ActorRow {
  /** Its index as the store has it; null = there is no such actor yet. Default: not known. */
  was?: ActorIndex | null;
}

export interface JournalRow {
  actor: string;
  seq: number;
  at: number;
  event: DurableEvent;
  /** State values passed through after the event, in order; the last is where it came to rest. */
  path: string[];
  /** Effects of the step that became outbox rows or intrinsics: type and, for outbox rows, id. */
  effects: { type: string; id?: string }[];
  /**
   * True for lines of the kernel's own (recovery), which did not step the chart and are no
   * progress.
   */
  note: boolean;
}

export interface OutboxRow {
  effectId: string;
  actor: string;
  seq: number;
  type: string;
  params: unknown;
  /** Runs begun without progress in between. */
  attempt: number;
  /** Journal seq of the actor when the latest run began: later rows are progress. */
  startedSeq: number;
  /** Set at a clean stop: the next start does not count as an attempt. */
  cleanStop: boolean;
  /** Why `params` cannot be read: it is given up. Left out = they can be. */
  broken?: string;
}

export interface TimerRow {
  actor: string;
  name: string;
  due: number;
  event: DurableEvent;
}

/** A delivery from outside that must be acted on once: unique by (actor, source, externalId). */
export interface ReceivedRow {
  actor: string;
  source: string;
  externalId: string;
  at: number;
  /**
   * Journal seq of the step that it caused. A refused delivery leaves no row: it may come again.
   */
  seq: number;
}

/** An event from one actor to another that is committed but not yet delivered. */
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

/** Everything of one group commit; written in one transaction or not at all. */
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
   * Why the store cannot take a change of a row, for people; null = nothing is known against it. Asked
   * in every step, so it is fast. Left out = the commit tells.
   */
  rowProblem?(change: RowChange): string | null;
  /**
   * Takes a batch: when this returns, reads see it and the next may come. It is durable when this
   * returns, or when the promise resolves; promises end in the order of the calls. It throws when
   * nothing of the batch was written; when the promise rejects, only the store knows: reads show what
   * is durable, or throw. What was taken after it is rejected too, or durable with it.
   * `overlap`: the caller would rather continue than wait for the disk; default false.
   */
  commit(batch: Batch, overlap?: boolean): undefined | Promise<undefined>;
  /**
   * Raises and returns the owner's generation; writes with an older one are refused from then on.
   */
  claim(): number;
  actor(id: string): ActorRow | undefined;
  inbox(actor: string, source: string, externalId: string): ReceivedRow | undefined;
  /** All effects that are not done, oldest first. */
  pendingEffects(): OutboxRow[];
  pendingMail(): MailRow[];
  /** Earliest timers first, at most `limit`. */
  timers(limit: number): TimerRow[];
  timersOf(actor: string): TimerRow[];
  /** True when the actor's journal has a row after `seq` that is not a note. */
  progressed(actor: string, seq: number): boolean;
  journal(actor: string, after: number, limit: number): JournalRow[];
  frames(actor: string, after: number, limit: number): FrameRow[];
}
