import type { SessionMessage } from '../../contract/session/executor.ts';

interface TurnHooks {
  /** Asks the agent to stop. */
  cancel(): void;
  tell(id: string, state: 'delivered' | 'acknowledged'): void;
}

/** One turn: the messages that begin it, until it is over. */
export class Turn {
  readonly messages: readonly SessionMessage[];
  /** Resolves when it is over: whether the agent has said so, or is gone. */
  readonly ended: Promise<boolean>;
  readonly #hooks: TurnHooks;
  #end: (said: boolean) => void = () => {};
  #isBegun = false;
  #isAnswered = false;
  #isOver = false;
  #isCancelled = false;

  constructor(messages: readonly SessionMessage[], hooks: TurnHooks) {
    this.messages = messages;
    this.#hooks = hooks;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get isBegun(): boolean {
    return this.#isBegun;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** The agent was asked. An interrupt that came before is passed on now. */
  begun(): void {
    this.#isBegun = true;
    if (this.#isCancelled) this.#hooks.cancel();
  }

  /**
   * The agent has shown that it works on the messages. That it has taken them in is not known
   * before: a frozen agent's pipe takes them as well, and they would be lost with it.
   */
  answered(): void {
    if (this.#isAnswered || !this.#isBegun || this.#isOver) return;
    this.#isAnswered = true;
    for (const { id } of this.messages) this.#hooks.tell(id, 'delivered');
    for (const { id } of this.messages) this.#hooks.tell(id, 'acknowledged');
    // An agent that is asked to stop before it has begun has nothing to stop, and continues.
    if (this.#isCancelled) this.#hooks.cancel();
  }

  interrupt(): void {
    if (this.#isOver || this.#isCancelled) return;
    this.#isCancelled = true;
    if (this.#isBegun) this.#hooks.cancel();
  }

  over(said: boolean): void {
    this.#isOver = true;
    this.#end(said);
  }
}
