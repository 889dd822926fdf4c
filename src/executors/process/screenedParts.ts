import { isScreened, screenSecrets } from '../../base/secrets/screenSecrets.ts';

/**
 * Removes secrets from a text that comes in parts: an end that may begin a secret is held back
 * until that is known.
 */
export class ScreenedParts {
  readonly #secrets: readonly string[];
  readonly #onText: (text: string) => void;
  #held = '';

  constructor(secrets: readonly string[], onText: (text: string) => void) {
    this.#secrets = secrets.filter(isScreened);
    this.#onText = onText;
  }

  push(part: string): void {
    const text = screenSecrets(this.#secrets)(this.#held + part);
    const heldFrom = this.#findSecretBeginning(text);
    this.#held = text.slice(heldFrom);
    this.#emit(text.slice(0, heldFrom));
  }

  /** The text has ended, so the held part is not the start of a secret. */
  end(): void {
    const text = this.#held;
    this.#held = '';
    this.#emit(text);
  }

  #emit(text: string): void {
    if (text !== '') this.#onText(text);
  }

  #findSecretBeginning(text: string): number {
    const longest = Math.max(0, ...this.#secrets.map(({ length }) => length - 1));
    for (let from = Math.max(0, text.length - longest); from < text.length; from += 1) {
      if (this.#secrets.some((secret) => secret.startsWith(text.slice(from)))) return from;
    }
    return text.length;
  }
}
