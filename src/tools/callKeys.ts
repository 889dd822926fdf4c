import { sha256 } from '../lib/ids.ts';

/** JSON with the keys of every object sorted: equal values give equal text. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : part,
  );

export interface CallKey {
  /** `<visit>.<session>/<tool>/<16 hex of the arguments' sha256>/<n>` */
  key: string;
  /** Gives the number back: the call was refused and left no trace under the key. */
  release(): void;
}

/**
 * Numbers equal calls of one session, so that a session that was started again and repeats its calls uses the same
 * keys and gets the recorded answers. Refused calls are not counted: the repeat would be one number behind otherwise.
 */
export class CallKeys {
  readonly #prefix: string;
  readonly #counts = new Map<string, number>();

  constructor(visit: number, session: number) {
    this.#prefix = `${visit}.${session}`;
  }

  next(tool: string, args: unknown): CallKey {
    const call = `${this.#prefix}/${tool}/${sha256(canonicalJson(args)).slice(0, 16)}`;
    const n = (this.#counts.get(call) ?? 0) + 1;
    this.#counts.set(call, n);
    return {
      key: `${call}/${n}`,
      release: () => {
        // An equal call that came later holds a higher number; taking ours back would give that one out twice.
        if (this.#counts.get(call) === n) this.#counts.set(call, n - 1);
      },
    };
  }
}
