import { isScreened } from '../../shared/secrets/leastSecret.ts';
import { screenSecrets } from '../../shared/secrets/screenSecrets.ts';

/**
 * Takes secrets out of a text that comes in parts: an end that may be the beginning of a secret is
 * held until it is known.
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
    const heldFrom = this.#beginningOfSecret(text);
    this.#held = text.slice(heldFrom);
    this.#emit(text.slice(0, heldFrom));
  }

  /** There is no more: what was held is no secret. */
  end(): void {
    const text = this.#held;
    this.#held = '';
    this.#emit(text);
  }

  #emit(text: string): void {
    if (text !== '') this.#onText(text);
  }

  #beginningOfSecret(text: string): number {
    const longest = Math.max(0, ...this.#secrets.map(({ length }) => length - 1));
    for (let from = Math.max(0, text.length - longest); from < text.length; from += 1) {
      if (this.#secrets.some((secret) => secret.startsWith(text.slice(from)))) return from;
    }
    return text.length;
  }
}
