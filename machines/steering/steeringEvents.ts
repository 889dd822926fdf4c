import type { TurnStop } from '../../src/shared/jobs/stopReasons.ts';
import type { Message, Offering } from './ports.ts';

/**
 * `urgent`: it interrupts the turn that runs; `safe`: it never does, because a tool of a server was
 * at work when it came.
 */
export interface WaitingMessage extends Message {
  mode: 'safe' | 'urgent';
}

export type SteeringEvent =
  | { type: 'message'; message: Message }
  /** A call of a tool server began or is over. */
  | { type: 'call.began' }
  | { type: 'call.ended' }
  /** The agent went away while a tool was at work for it: its answer could not be given back. */
  | { type: 'answer.lost' }
  /**
   * The agent begins something that an interrupt would stop, in a few words; null = nothing of its
   * own.
   */
  | { type: 'doing'; what: string | null }
  | { type: 'turn.ended'; stopReason: TurnStop }
  /** The session has a result. */
  | { type: 'session.ended' }
  /** Pause, cancel, or the end of the runner. */
  | { type: 'stop' };

export interface SteeringContext {
  /** Of the executor: a message reaches the agent within the current turn. */
  folds: boolean;
  /** Taken and not offered yet, oldest first. */
  queue: WaitingMessage[];
  /** Being written down as offered; goes into the input next. */
  offering: Offering | null;
  /** Calls of tool servers in flight. */
  calls: number;
  doing: string | null;
  /** How the last turn ended; null = none has. */
  lastStop: TurnStop | null;
  /** What the interrupt of this turn stopped; null = this turn was not interrupted. */
  interrupted: string | null;
  /**
   * An interrupt is on its way that the agent has not acknowledged: what is sent now could be hit
   * by it.
   */
  asking: boolean;
  /** Turns in a row that were asked to continue without a new message. */
  nudges: number;
  /** The last answer was empty, and the agent was asked once more. */
  askedAgain: boolean;
  /** Why the tool server is looked after. */
  healing: 'interrupt' | 'lost answer';
}
