import type { SessionMessage } from '../../contract/session/executor.ts';

export class SessionInput {
  #messages: SessionMessage[] = [];
  #closed = false;
  #notifyChange: () => void = () => {};

  push(messages: readonly SessionMessage[]): void {
    if (this.#closed) return;
    this.#messages.push(...messages);
    this.#notifyChange();
  }

  /** Removes and returns all that waits. */
  take(): SessionMessage[] {
    const sessionMessages = this.#messages;
    this.#messages = [];
    return sessionMessages;
  }

  get isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  close(): void {
    this.#closed = true;
    this.#notifyChange();
  }

  /** Resolves true as soon as there is input, false once it is closed and empty. */
  async awaitInput(): Promise<boolean> {
    while (this.isEmpty && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#notifyChange = resolve;
      });
    }
    return !this.isEmpty;
  }
}
