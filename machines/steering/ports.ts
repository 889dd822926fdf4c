import type { MessageWay } from '../../src/contract/schema/session/message.ts';

/** A message on its way to the agent. */
export interface Message {
  id: string;
  text: string;
}

/** The messages that a session is given in one go. */
export interface Offering {
  messages: Message[];
  how: Exclude<MessageWay, 'kickoff'>;
  /** What the interrupt of the turn before stopped; null = no interrupt. */
  interrupted: string | null;
}

/**
 * What the chart asks of the session and of the runner and waits for: name → input. Each may be
 * called at any time. `src/sessions/steering/` provides them.
 */
export interface SteeringPorts {
  /**
   * Records that the messages are offered; resolves with those to send (one may have been
   * superseded).
   */
  offer: Offering;
  /**
   * Interrupts the turn; resolves with true once the agent has acknowledged it, with false when it
   * has not within `ackMs`.
   */
  interrupt: { ackMs: number };
  /** Resolves with true when the agent reaches its tool server. */
  heal: null;
}

/**
 * What the chart asks of them without waiting for an answer, by the name of the action → params.
 */
export interface SteeringActs {
  /** Appends the messages to the session's input. */
  send: { messages: readonly Message[] };
  /** Asks the agent to continue, or to repeat a call. */
  nudge: { text: string };
  /** Writes a line into the job's log. */
  control: { line: string };
}
