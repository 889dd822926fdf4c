export interface TextToken {
  kind: string;
  /** Equal texts are the same token. */
  token: string;
  /** Offset of its first character. */
  at: number;
}

export type FindTokens = (text: string) => readonly TextToken[];

/** Longest token that is found across pieces of a file, characters. */
const MAX_TOKEN_CHARS = 1024;
/** Characters that are searched at once. */
const WINDOW_CHARS = 64 * 1024;

export class TokenSearch {
  /** The kinds of the tokens so far, by token. */
  readonly found = new Map<string, string>();
  readonly #findTokens: FindTokens;
  #text = '';
  /** Whether the text begins with one character that was already searched. */
  #hasBefore = false;

  constructor(findTokens: FindTokens) {
    this.#findTokens = findTokens;
  }

  push(piece: Buffer): void {
    // One character is one byte: tokens are ASCII, and no character is cut in two.
    this.#text += piece.toString('latin1');
    if (this.#text.length >= WINDOW_CHARS) this.#search(this.#text.length - MAX_TOKEN_CHARS);
  }

  /** Searches the last piece. */
  end(): void {
    this.#search(this.#text.length);
    this.#text = '';
  }

  /**
   * Tokens that begin before `until` are complete; the rest of the text is searched with the next
   * piece.
   */
  #search(until: number): void {
    const from = this.#hasBefore ? 1 : 0;
    for (const { kind, token, at } of this.#findTokens(this.#text))
      if (at >= from && at < until) this.found.set(token, kind);
    // The character before it decides whether a word begins.
    this.#text = this.#text.slice(until - 1);
    this.#hasBefore = true;
  }
}
