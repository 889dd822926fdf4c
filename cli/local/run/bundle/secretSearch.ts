/** Secrets shorter than this are words that stand anywhere, characters. */
const SHORTEST = 8;

/** Looks for secrets in bytes that come in pieces. */
export class SecretSearch {
  readonly #secrets: readonly Buffer[];
  readonly #overlap: number;
  #end: Buffer = Buffer.alloc(0);

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
      .filter(({ length }) => length >= SHORTEST)
      .map((one) => Buffer.from(one));
    this.#overlap = Math.max(0, ...this.#secrets.map(({ length }) => length - 1));
  }

  /** Whether a secret ends in this piece; it may begin in an earlier one. */
  finds(piece: Buffer): boolean {
    const seen = Buffer.concat([this.#end, piece]);
    this.#end = this.#overlap === 0 ? Buffer.alloc(0) : seen.subarray(-this.#overlap);
    return this.#secrets.some((secret) => seen.includes(secret));
  }
}
