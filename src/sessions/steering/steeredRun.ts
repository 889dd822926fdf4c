import type { LeftoverItems } from '../../../machines/index.ts';
import type { SessionRef } from '../../contract/session/sessionRef.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { Setback } from '../../base/jobs/stopReasons.ts';
import type { EffectOutcome } from '../../kernel/port.ts';
import type { Session, SessionEvent, SessionResult } from '../../contract/session/executor.ts';
import type { CallWatch } from '../../executors/tools/host/phaseTools.ts';

/** The part of an inbox item that a sentence about it needs. */
export type ArrivedItem = Pick<Tables['inbox_items'], 'kind' | 'pr_id'>;

export interface ArrivedBatch {
  /** Messages and events as one chronological text; null = none. */
  batch: string | null;
  items: readonly ArrivedItem[];
  /** The same without what a continuing agent already had; null = nothing new. */
  news: string | null;
  newItems: readonly ArrivedItem[];
  /** Number of the last inbox item in it. */
  upTo: number;
  /**
   * Messages that an earlier session or run of this visit has already read, as one text; null =
   * none.
   */
  readBefore: string | null;
  /**
   * An earlier run may have received some of it: its agent session must not be continued, or it
   * would get it twice.
   */
  uncertain: boolean;
}

export interface ContinuedSession {
  first: number;
  why: Setback;
  /** Number of the last inbox item in a kickoff that their agent has read; 0 = none. */
  readTo: number;
}

export interface PlayedSession {
  result: SessionResult;
  /** Acknowledgements for the commit of its end, before the end itself. */
  read: NonNullable<EffectOutcome['sends']>;
  /** What did not fit into its kickoff; null = nothing. */
  left: LeftoverItems | null;
}

export interface SteerableRun {
  /**
   * Records that everything waiting is offered with the kickoff, inbox items (from, to] first; then
   * it may be sent.
   */
  kickoff(from: number, to: number, continuation?: ContinuedSession): Promise<ArrivedBatch>;
  /** For the session's tool server. */
  readonly calls: CallWatch;
  /** Takes the executor's events, in order. */
  onEvent(event: SessionEvent): void;
  /**
   * A developer's message during the session. If the session cannot take it, it stays in the inbox.
   */
  message(n: number): void;
  /** Plays the session to its end; `end` is aborted when it is asked to end. Never rejects. */
  play(live: Session, end: AbortSignal): Promise<PlayedSession>;
}

export interface SteeredRun extends SessionRef {
  folds: boolean;
  /** Time between asking a session to end and killing it, ms. */
  graceMs: number;
  tools: { hold(): void; release(): void };
}
