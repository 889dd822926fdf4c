import type { SecretStream } from '../base/secrets/secretStream.ts';

interface TextToken {
  kind: string;
  /** Equal texts are the same token. */
  token: string;
  /** Offset of its first character. */
  at: number;
}

type FindTokens = (text: string) => readonly TextToken[];

/** Longest token that is found across pieces of a file, characters. */
const MAX_TOKEN_CHARS = 1024;
/** Characters that are searched at once. */
const WINDOW_CHARS = 64 * 1024;

class TokenSearch {
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

export interface SearchedValues {
  /** Known secrets; a new one for each object. */
  stream(): SecretStream;
  /** Tokens that are known by their form. */
  findTokens: FindTokens;
}

export interface ObjectFinding {
  /** Known secrets, by a text that is equal for equal secrets. Never shown. */
  secrets: ReadonlySet<string>;
  /** Kinds of tokens, by token. The tokens are never shown. */
  tokens: ReadonlyMap<string, string>;
}

export interface ObjectHit extends ObjectFinding {
  oid: string;
  type: string;
  /** Where it is in the tree of its commit; empty for a commit and the top folder. */
  path: string;
}

function removeZeroBytes(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafe(bytes.length);
  let size = 0;
  for (const byte of bytes) {
    if (byte === 0) continue;
    copy[size] = byte;
    size += 1;
  }
  return copy.subarray(0, size);
}

/**
 * Searches the bytes of one object, which come in pieces, for known secrets and for texts that look
 * like tokens, also in UTF-16 of either byte order.
 */
export class ObjectSearch {
  readonly #secrets: SecretStream;
  readonly #findTokens: FindTokens;
  readonly #plain: TokenSearch;
  /**
   * The bytes without zeros, which turns UTF-16 into ASCII; used from the first piece with a zero.
   */
  #packed: TokenSearch | null = null;
  #last: Buffer = Buffer.alloc(0);

  constructor({ stream, findTokens }: SearchedValues) {
    this.#secrets = stream();
    this.#findTokens = findTokens;
    this.#plain = new TokenSearch(findTokens);
  }

  push(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#secrets.push(piece);
    this.#plain.push(piece);
    if (this.#packed === null && piece.includes(0)) {
      this.#packed = new TokenSearch(this.#findTokens);
      // The first half of a character that is split between two pieces has no zero.
      this.#packed.push(this.#last);
    }
    this.#packed?.push(removeZeroBytes(piece));
    this.#last = Buffer.from(piece.subarray(-1));
  }

  end(): ObjectFinding {
    this.#secrets.end();
    this.#plain.end();
    this.#packed?.end();
    return {
      secrets: new Set([...this.#secrets.found].map((secret) => secret.toString('latin1'))),
      tokens: new Map([...this.#plain.found, ...(this.#packed?.found ?? [])]),
    };
  }
}

export function searchText(searchedValues: SearchedValues, text: string): ObjectFinding {
  const search = new ObjectSearch(searchedValues);
  search.push(Buffer.from(text));
  return search.end();
}
