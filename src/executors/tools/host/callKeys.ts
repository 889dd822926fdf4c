import { toCanonicalJson } from '../../../base/json/toCanonicalJson.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';

export interface CallKey {
  /** `<visit>.<session>/<tool>/<16 hex of the arguments' sha256>/<n>` */
  key: string;
  /** Gives the number back: the refused call left no trace under the key. */
  release(): void;
  /**
   * The answer reached no one: the next equal call counts as the same one, so that it is not done
   * twice.
   */
  lose(): void;
}

/**
 * Numbers equal calls of one session, so that a restarted session that repeats its calls uses the
 * same keys and gets the recorded answers. Refused calls are not counted: otherwise the repeat
 * would be one number behind.
 */
export class CallKeys {
  readonly #prefix: string;
  readonly #counts = new Map<string, number>();
  /** Numbers whose answers were lost, lowest first, by call. */
  readonly #lost = new Map<string, number[]>();

  constructor(visit: number, session: number) {
    this.#prefix = `${visit}.${session}`;
  }

  #found(call: string, n: number): void {
    this.#lost.set(
      call,
      (this.#lost.get(call) ?? []).filter((one) => one !== n),
    );
  }

  next(tool: string, args: unknown): CallKey {
    const call = `${this.#prefix}/${tool}/${sha256(toCanonicalJson(args)).slice(0, 16)}`;
    const again = this.#lost.get(call)?.shift();
    const n = again ?? (this.#counts.get(call) ?? 0) + 1;
    if (again === undefined) this.#counts.set(call, n);
    let refused = false;
    return {
      key: `${call}/${n}`,
      release: () => {
        refused = true;
        this.#found(call, n);
        // A later equal call holds a higher number; taking ours back would give that one out twice.
        if (this.#counts.get(call) === n) this.#counts.set(call, n - 1);
      },
      lose: () => {
        if (refused) return;
        this.#lost.set(
          call,
          [...(this.#lost.get(call) ?? []), n].sort((a, b) => a - b),
        );
      },
    };
  }
}
