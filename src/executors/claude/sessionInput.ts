import type { UserMessage } from './sdk.ts';

export class SessionInput implements AsyncIterable<UserMessage> {
  readonly #items: UserMessage[] = [];
  #isClosed = false;
  #wake = () => {};

  push(item: UserMessage): void {
    this.#items.push(item);
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<UserMessage, void> {
    for (;;) {
      const next = this.#items.shift();
      if (next) yield next;
      else if (this.#isClosed) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}

export const toUserMessage = (uuid: string, content: string): UserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  uuid,
});
