import type { TurnStop } from '../../src/base/jobs/stopReasons.ts';
import type { Message, Offering } from './ports.ts';

/** `urgent`: interrupts the turn; `safe`: does not, because a tool was at work when it came. */
export interface WaitingMessage extends Message {
  mode: 'safe' | 'urgent';
}

export type SteeringEvent =
  | { type: 'message'; message: Message }
  /** A tool server's call began or is over. */
  | { type: 'call.began' }
  | { type: 'call.ended' }
  /** The agent left during a tool call, so it could not get the answer. */
  | { type: 'answer.lost' }
  /** The agent begins something that an interrupt would stop, in a few words; null = nothing. */
  | { type: 'doing'; what: string | null }
  | { type: 'turn.ended'; stopReason: TurnStop }
  | { type: 'session.ended' }
  /** Pause, cancel, or the end of the runner. */
  | { type: 'stop' };

export interface SteeringContext {
  /** The executor can deliver a message within the current turn. */
  folds: boolean;
  /** Messages accepted but not offered yet, oldest first. */
  queue: WaitingMessage[];
  /** Messages being recorded as offered; they go into the input next. */
  offering: Offering | null;
  /** Calls of tool servers in flight. */
  calls: number;
  doing: string | null;
  /** How the last turn ended; null = none has ended. */
  lastStop: TurnStop | null;
  /** What this turn's interrupt stopped; null = not interrupted. */
  interrupted: string | null;
  /** An unacknowledged interrupt is on its way and could hit what is sent now. */
  asking: boolean;
  /** Turns in a row that continued without a new message. */
  nudges: number;
  /** The last answer was empty and the agent was asked once more. */
  askedAgain: boolean;
  healing: 'interrupt' | 'lost answer';
}
