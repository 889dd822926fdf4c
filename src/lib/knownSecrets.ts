import { screenSecrets } from './screenSecrets.ts';
import { secretForms } from './secretForms.ts';

/** Shorter ones are words that stand in any text: taking them out would make logs unreadable and hide nothing. */
const SHORTEST_SCREENED = 8;

/** The secrets that the process knows, to be taken out of everything that it stores, says or sends. More may come while it runs. */
export class KnownSecrets {
  readonly #known = new Set<string>();
  #screen = screenSecrets([]);

  constructor(secrets: readonly string[] = []) {
    this.add(secrets);
  }

  /** Secrets of fewer than eight characters are left out. */
  add(secrets: readonly string[]): void {
    const before = this.#known.size;
    for (const secret of secrets) {
      if (secret.length < SHORTEST_SCREENED) continue;
      for (const form of secretForms(secret)) this.#known.add(form);
    }
    // The longest first: one that is part of another would leave the rest of it.
    if (this.#known.size > before) this.#screen = screenSecrets([...this.#known].sort((a, b) => b.length - a.length));
  }

  /** The text without them. */
  readonly screen = (text: string): string => this.#screen(text);
}
