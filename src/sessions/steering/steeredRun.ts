import type { LeftoverItems } from '../../../machines/index.ts';
import type { SessionRef } from '../../contract/session/sessionRef.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { Setback } from '../../shared/jobs/stopReasons.ts';
import type { EffectOutcome } from '../../kernel/port.ts';
import type { Session, SessionEvent, SessionResult } from '../../contract/session/executor.ts';
import type { CallWatch } from '../../executors/tools/host/phaseTools.ts';

/** What has come in, as far as a sentence about it needs. */
export type ArrivedItem = Pick<Tables['inbox_items'], 'kind' | 'pr_id'>;

/** What a session's first message brings along of what has come in. */
export interface ArrivedBatch {
  /** Messages and events as one chronological text; null = none. */
  batch: string | null;
  /** The items that it is made of. */
  items: readonly ArrivedItem[];
  /**
   * The same without what an agent that continues its conversation has had already; null = there is
   * nothing new.
   */
  news: string | null;
  newItems: readonly ArrivedItem[];
  /** Number of the last inbox item that it includes. */
  upTo: number;
  /**
   * Messages that an earlier session, or run of a session, of this visit has read already, as one
   * text; null = none.
   */
  readBefore: string | null;
  /**
   * An earlier run may have got some of it: the agent's own session must not be continued, or it
   * would have it twice.
   */
  uncertain: boolean;
}

/** The sessions of this visit that a session continues. */
export interface ContinuedSession {
  /** The first of them. */
  first: number;
  why: Setback;
  /**
   * Number of the last inbox item that their agent was given by a kickoff that it has read; 0 =
   * none.
   */
  readTo: number;
}

/** How a session was played to its end. */
export interface PlayedSession {
  result: SessionResult;
  /** Acknowledgements of messages that belong into the commit of its end, before the end itself. */
  read: NonNullable<EffectOutcome['sends']>;
  /** What was too much for its kickoff; null = nothing. */
  left: LeftoverItems | null;
}

/** One run of one session, with its messages. */
export interface SteerableRun {
  /**
   * Writes down that everything that waits is offered with the kickoff, inbox items (from, to]
   * first; then it may be sent.
   */
  kickoff(from: number, to: number, continued?: ContinuedSession): Promise<ArrivedBatch>;
  /** For the session's tool server. */
  readonly calls: CallWatch;
  /** Takes what the executor tells, in order. */
  onEvent(event: SessionEvent): void;
  /**
   * A message of a developer while the session runs. It has no effect when the session cannot take
   * it: it stays in the inbox.
   */
  message(n: number): void;
  /**
   * Plays the session to its end; `end` is aborted when the session is asked to end. Never rejects.
   */
  play(live: Session, end: AbortSignal): Promise<PlayedSession>;
}

/** The run that is to be steered. */
export interface SteeredRun extends SessionRef {
  /** Of the executor. */
  folds: boolean;
  /** Time between asking a session to end and killing it, ms. */
  graceMs: number;
  /** Holds and releases the calls of the session's tool server. */
  tools: { hold(): void; release(): void };
}
