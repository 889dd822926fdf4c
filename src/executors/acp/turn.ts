import type { SessionMessage } from '../../contract/session/executor.ts';

interface TurnHooks {
  cancel(): void;
  tell(id: string, state: 'delivered' | 'acknowledged'): void;
}

export class Turn {
  readonly messages: readonly SessionMessage[];
  /** Resolves at the end of the turn: true if the agent reported it, false if the agent is gone. */
  readonly ended: Promise<boolean>;
  readonly #hooks: TurnHooks;
  #end: (hasAnswered: boolean) => void = () => {};
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

  /** Passes on an interrupt that came before the agent was asked. */
  begin(): void {
    this.#isBegun = true;
    if (this.#isCancelled) this.#hooks.cancel();
  }

  /**
   * Called when the agent has shown that it works on the messages. Only then are they known to be
   * delivered: the pipe of a frozen agent takes them too, and loses them with it.
   */
  acknowledge(): void {
    if (this.#isAnswered || !this.#isBegun || this.#isOver) return;
    this.#isAnswered = true;
    for (const { id } of this.messages) this.#hooks.tell(id, 'delivered');
    for (const { id } of this.messages) this.#hooks.tell(id, 'acknowledged');
    // An agent that is asked to stop before it has begun ignores it and continues.
    if (this.#isCancelled) this.#hooks.cancel();
  }

  interrupt(): void {
    if (this.#isOver || this.#isCancelled) return;
    this.#isCancelled = true;
    if (this.#isBegun) this.#hooks.cancel();
  }

  end(hasAnswered: boolean): void {
    this.#isOver = true;
    this.#end(hasAnswered);
  }
}
