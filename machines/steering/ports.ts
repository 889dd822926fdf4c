import type { MessageWay } from '../../src/contract/schema/session/message.ts';

export interface Message {
  id: string;
  text: string;
}

export interface Offering {
  messages: Message[];
  how: Exclude<MessageWay, 'kickoff'>;
  /** What the previous turn's interrupt stopped; null = no interrupt. */
  interrupted: string | null;
}

/**
 * What the chart asks of session and runner and waits for: name → input. Callable at any time.
 * `src/sessions/steering/` provides it.
 */
export interface SteeringPorts {
  /** Records the messages as offered; resolves with those to send (one may be superseded). */
  offer: Offering;
  /** Interrupts the turn; true once the agent acknowledges it, false if not within `ackMs`. */
  interrupt: { ackMs: number };
  /** Resolves with true when the agent reaches its tool server. */
  heal: null;
}

/** What the chart asks for without waiting for an answer: action → params. */
export interface SteeringActs {
  send: { messages: readonly Message[] };
  /** Asks the agent to continue or to repeat a call. */
  nudge: { text: string };
  control: { line: string };
}
