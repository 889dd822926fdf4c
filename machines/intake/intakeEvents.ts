import type { TurnEnd } from './ports.ts';

export type IntakeEvent =
  /** The message of a turn is stored. */
  | { type: 'turn.asked'; turn: number }
  /** The model has begun to answer. */
  | { type: 'answer.came' }
  /** One of possibly several look-ups of this round begins or is over. */
  | { type: 'lookup.began'; round: number }
  | { type: 'lookup.ended' }
  /** The executor has no more to say, and no process of the turn is left. */
  | { type: 'turn.ended'; end: Exclude<TurnEnd, 'overdue'> }
  | { type: 'stop' }
  /** The conversation is removed or the runner stops; no further turn begins. */
  | { type: 'close' };

export interface IntakeContext {
  maxRounds: number;
  /** Turns that wait, oldest first. */
  queue: number[];
  /** The turn that runs; 0 = none. */
  turn: number;
  /** Rounds of look-ups that this turn has begun, as the executor counts them. */
  rounds: number;
  lookups: number;
  /** The conversation fits into the window of the model. */
  fits: boolean;
  /** The turn was stopped before the model was asked. */
  stopped: boolean;
  /** How the turn ended; null = it has not. */
  end: TurnEnd | null;
  closing: boolean;
}
