/** Most refusals of a session that are reported. */
export const MAX_REFUSALS = 100;

/** The sandbox provides these places itself, so writing there is not refused. */
const OF_ITS_OWN = /^deny \S+ \/(?:dev|proc|tmp)(?:\/|$)/;

export class Refusals {
  readonly #seen = new Set<string>();

  /** The line to report; null = it is not reported. */
  take(line: string): string | null {
    const short = line.replace(/[\r\n]+/g, ' ').slice(0, 300);
    if (OF_ITS_OWN.test(short) || this.#seen.has(short) || this.#seen.size >= MAX_REFUSALS)
      return null;
    this.#seen.add(short);
    return short;
  }
}
