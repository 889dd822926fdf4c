/** Most refusals of a session that are reported. */
export const MAX_REFUSALS = 100;

/** Places that the sandbox provides itself: what is written there is refused by no one. */
const OF_ITS_OWN = /^deny \S+ \/(?:dev|proc|tmp)(?:\/|$)/;

/** Decides which refusals are reported: each once, and not more than {@link MAX_REFUSALS}. */
export class Refusals {
  readonly #seen = new Set<string>();

  /** The line as it is reported; null = it is not. */
  take(line: string): string | null {
    const short = line.replace(/[\r\n]+/g, ' ').slice(0, 300);
    if (OF_ITS_OWN.test(short) || this.#seen.has(short) || this.#seen.size >= MAX_REFUSALS)
      return null;
    this.#seen.add(short);
    return short;
  }
}
