import type { TurnEnd } from './ports.ts';

export type IntakeEvent =
  /** The message of a turn is stored. */
  | { type: 'turn.asked'; turn: number }
  /** The first part of what the model answers, since it was asked last. */
  | { type: 'answer.came' }
  /** A look-up begins, in this round of the turn, or is over; several may run at once. */
  | { type: 'lookup.began'; round: number }
  | { type: 'lookup.ended' }
  /** The executor has no more to say, and no process of the turn is left. */
  | { type: 'turn.ended'; end: Exclude<TurnEnd, 'overdue'> }
  /** A person stops the turn that runs. */
  | { type: 'stop' }
  /** The conversation is removed, or the runner stops: no further turn begins. */
  | { type: 'close' };

export interface IntakeContext {
  /** Most rounds of look-ups in one turn. */
  maxRounds: number;
  /** Turns that wait, oldest first. */
  queue: number[];
  /** The turn that runs; 0 = none. */
  turn: number;
  /** Rounds of look-ups that it has begun, as the executor counts them. */
  rounds: number;
  /** Look-ups in flight. */
  lookups: number;
  /** The conversation fits into the window of the model. */
  fits: boolean;
  /** The turn was stopped before the model was asked. */
  stopped: boolean;
  /** How the turn ended; null = it has not. */
  end: TurnEnd | null;
  closing: boolean;
}
