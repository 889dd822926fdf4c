import type { ChatPart, ChatRequest } from '../../contract/planning/chat.ts';
import { screenSecrets } from '../../base/secrets/screenSecrets.ts';
import { ScreenedParts } from '../process/screenedParts.ts';

/** Passes on what a turn of a chat says, without the endpoint's key. */
export class ChatParts {
  readonly screen: (text: string) => string;
  readonly #onPart: ChatRequest['onPart'];
  readonly #onLost: (error: unknown) => void;
  readonly #tokens: ScreenedParts;
  readonly #thoughts: ScreenedParts;
  #kept: Promise<unknown> | undefined;

  /** `onLost`: called when a part cannot be kept. */
  constructor(
    { onPart, screen }: Pick<ChatRequest, 'onPart' | 'screen'>,
    secrets: readonly string[],
    onLost: (error: unknown) => void,
  ) {
    const own = screenSecrets(secrets);
    this.screen = (text) => screen(own(text));
    this.#onPart = onPart;
    this.#onLost = onLost;
    this.#tokens = new ScreenedParts(secrets, (text) => this.tell({ type: 'token', text }));
    this.#thoughts = new ScreenedParts(secrets, (text) => this.tell({ type: 'thinking', text }));
  }

  get kept(): Promise<unknown> {
    return Promise.resolve(this.#kept);
  }

  pushToken(text: string): void {
    this.#thoughts.end();
    this.#tokens.push(text);
  }

  pushThinking(text: string): void {
    this.#tokens.end();
    this.#thoughts.push(text);
  }

  /** Sends text that was held back because it could have begun a secret. */
  endOfText(): void {
    this.#thoughts.end();
    this.#tokens.end();
  }

  note(line: string): void {
    this.tell({ type: 'note', text: this.screen(line) });
  }

  tell(part: ChatPart): void {
    try {
      const storing = this.#onPart(part)?.catch(this.#onLost);
      if (storing) this.#kept = storing;
    } catch (error) {
      this.#onLost(error);
    }
  }
}
