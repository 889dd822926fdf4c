import {
  KICKOFF,
  type SessionEvent,
  type SessionMessage,
  type Steering,
} from '../../src/contract/session/executor.ts';
import type { TurnStop } from '../../src/base/jobs/stopReasons.ts';
import type { Chance } from './chance.ts';

/**
 * Longest time in which an agent acknowledges an interrupt, ms: some take longer than anybody
 * waits.
 */
const SLOWEST_ACK_MS = 14_000;

export interface AgentInputOptions {
  chance: Chance;
  folds: boolean;
  stormy(): boolean;
  /**
   * A tool works for it, and no one wants its session ended: an interrupt now would throw the
   * answer away.
   */
  mustNotBeInterrupted(): boolean;
  /** Some simulated time. */
  wait(ms: number): Promise<void>;
  tell(event: SessionEvent): void;
  /** A message is part of what the agent thinks about. */
  read(id: string): void;
  /** Something that must never be. */
  breaks(sentence: string): void;
  /** The input was closed and the turn is over, for this reason. */
  over(stop: TurnStop): void;
}

/**
 * The input of a simulated agent: it reads between its steps, stops where it is interrupted, and
 * continues with the next message.
 */
export class AgentInput implements Steering {
  readonly #options: AgentInputOptions;
  #waiting: SessionMessage[] = [];
  /** How the last turn ended; null while one runs. */
  #stop: TurnStop | null = null;
  #closed = false;
  #interrupted = false;
  #wake: () => void = () => {};

  constructor(options: AgentInputOptions) {
    this.#options = options;
    void this.#take([{ id: KICKOFF, text: '' }]);
  }

  send(messages: readonly SessionMessage[]): void {
    if (this.#closed) this.#options.breaks('nothing is sent into an input that is closed');
    if (this.#stop === null && !this.#options.folds) {
      this.#options.breaks('nothing is sent during a turn to an agent that does not fold');
    }
    this.#waiting.push(...messages);
    this.#wake();
  }

  async interrupt(ackMs: number): Promise<boolean> {
    if (this.#stop !== null) return true;
    const { chance, stormy, wait, mustNotBeInterrupted, breaks } = this.#options;
    if (mustNotBeInterrupted()) breaks('no agent is interrupted while a tool works for it');
    const takes =
      stormy() && chance.is(0.1) ? chance.int(1_000, SLOWEST_ACK_MS) : chance.wait(1, 300);
    const acknowledged = wait(takes).then(() => {
      if (this.#stop === null) this.#interrupted = true;
      this.#wake();
    });
    if (takes <= ackMs) {
      await acknowledged;
      return true;
    }
    await wait(ackMs);
    return false;
  }

  async heal(): Promise<boolean> {
    const { chance, stormy, wait } = this.#options;
    await wait(stormy() && chance.is(0.1) ? chance.int(1_000, 15_000) : chance.wait(1, 200));
    return !stormy() || chance.is(0.8);
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /**
   * Between two steps of its work. Resolves when it continues; never when its session is
   * over.
   */
  async pause(): Promise<void> {
    if (this.#interrupted) {
      this.#interrupted = false;
      return this.endTurn('interrupted');
    }
    if (this.#waiting.length > 0) await this.#take(this.#waiting.splice(0));
  }

  /** Ends the turn and waits for the next; the session is over when the input is closed. */
  async endTurn(stop: TurnStop): Promise<void> {
    this.#stop = stop;
    this.#interrupted = false;
    this.#options.tell({
      type: 'turn',
      stopReason: stop,
      error: stop === 'error' ? 'the model does not answer' : null,
    });
    while (this.#waiting.length === 0) {
      if (this.#closed) {
        this.#options.over(stop);
        return new Promise<never>(() => {});
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#stop = null;
    await this.#take(this.#waiting.splice(0));
  }

  async #take(messages: readonly SessionMessage[]): Promise<void> {
    const { chance, wait, tell, read } = this.#options;
    await wait(chance.wait(1, 100));
    for (const { id } of messages) {
      read(id);
      tell({ type: 'message', id, state: 'delivered' });
    }
    await wait(chance.wait(1, 2_000));
    for (const { id } of messages) tell({ type: 'message', id, state: 'acknowledged' });
  }
}
