import type { Clock } from '../../../base/time/clock.ts';
import { type Ids, sha256 } from '../../../base/system/ids/ids.ts';

/** How long a link is good for, ms. */
export const LOGIN_CODE_MS = 10 * 60_000;
/** Links that may be open at once; the oldest goes. */
const MAX_CODES = 16;

/**
 * One-time codes that let a browser in. Kept as hashes, in memory only: a restart makes all of them
 * void.
 */
export class LoginCodes {
  readonly #codes = new Map<string, number>();
  readonly #ids: Ids;
  readonly #clock: Clock;

  constructor(ids: Ids, clock: Clock) {
    this.#ids = ids;
    this.#clock = clock;
  }

  /** A fresh code, and until when (epoch ms) it is good. */
  issue(): { code: string; until: number } {
    const code = this.#ids.secret();
    const until = this.#clock.now() + LOGIN_CODE_MS;
    this.#codes.set(sha256(code), until);
    const oldest = this.#codes.keys().next().value;
    if (this.#codes.size > MAX_CODES && oldest !== undefined) this.#codes.delete(oldest);
    return { code, until };
  }

  /** True once for a code that was issued and is not too old. */
  redeem(code: string): boolean {
    const key = sha256(code);
    const until = this.#codes.get(key);
    this.#codes.delete(key);
    return until !== undefined && until > this.#clock.now();
  }
}
