/** A token that is known by its form alone, in a text. */
export interface TextToken {
  /** In words, such as "a token of GitHub". */
  kind: string;
  /** Equal texts are the same token. */
  token: string;
  /** Where it begins, characters. */
  at: number;
}

/** Finds tokens in a text; none is longer than {@link MAX_TOKEN_CHARS}. */
export type FindTokens = (text: string) => readonly TextToken[];

/** Longest token that is found whole where a file comes in pieces, characters. */
const MAX_TOKEN_CHARS = 1024;
/** So much is searched at once, characters. */
const WINDOW_CHARS = 64 * 1024;

/** Searches bytes that come in pieces for tokens, also if one is split between two of them. */
export class TokenSearch {
  /** The kinds of the tokens so far, by token. */
  readonly found = new Map<string, string>();
  readonly #findTokens: FindTokens;
  #text = '';
  /** Whether the text begins with one character that was searched before. */
  #hasBefore = false;

  constructor(findTokens: FindTokens) {
    this.#findTokens = findTokens;
  }

  push(piece: Buffer): void {
    // One character is one byte: tokens are ASCII, and no character is cut in two.
    this.#text += piece.toString('latin1');
    if (this.#text.length >= WINDOW_CHARS) this.#search(this.#text.length - MAX_TOKEN_CHARS);
  }

  /** The rest. */
  end(): void {
    this.#search(this.#text.length);
    this.#text = '';
  }

  /** What begins before `until` is whole in the text; the rest is searched with what follows. */
  #search(until: number): void {
    const from = this.#hasBefore ? 1 : 0;
    for (const { kind, token, at } of this.#findTokens(this.#text))
      if (at >= from && at < until) this.found.set(token, kind);
    // The character before it decides whether a word begins.
    this.#text = this.#text.slice(until - 1);
    this.#hasBefore = true;
  }
}
