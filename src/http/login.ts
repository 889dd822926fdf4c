import type { Middleware } from 'koa';
import type { Clock } from '../lib/clock.ts';
import { SvcError } from '../lib/errors.ts';
import { type Ids, sha256 } from '../lib/ids.ts';
import { TOKEN_COOKIE } from './gates.ts';

/** How long a link is good for, ms. */
export const LOGIN_CODE_MS = 10 * 60_000;
/** Links that may be open at once; the oldest goes. */
const MAX_CODES = 16;

/** One-time codes that let a browser in. Kept as hashes, in memory only: a restart makes all of them void. */
export class LoginCodes {
  readonly #codes = new Map<string, number>();
  readonly #ids: Ids;
  readonly #clock: Clock;

  constructor(ids: Ids, clock: Clock) {
    this.#ids = ids;
    this.#clock = clock;
  }

  issue(): string {
    const code = this.#ids.secret();
    this.#codes.set(sha256(code), this.#clock.now() + LOGIN_CODE_MS);
    const oldest = this.#codes.keys().next().value;
    if (this.#codes.size > MAX_CODES && oldest !== undefined) this.#codes.delete(oldest);
    return code;
  }

  /** True once for a code that was issued and is not too old. */
  redeem(code: string): boolean {
    const key = sha256(code);
    const until = this.#codes.get(key);
    this.#codes.delete(key);
    return until !== undefined && until > this.#clock.now();
  }
}

/** `GET /login/<code>`: the token as a cookie that scripts cannot read and other sites cannot use, then the dashboard. */
export const login =
  (codes: LoginCodes, token: string): Middleware =>
  async (ctx, next) => {
    if (!ctx.path.startsWith('/login/')) return next();
    // A HEAD request is a preview of the link, not a person who follows it.
    if (ctx.method !== 'GET') {
      ctx.set('Allow', 'GET');
      throw new SvcError('method-not-allowed', 'Open the link in a browser.');
    }
    if (!codes.redeem(ctx.path.slice('/login/'.length))) {
      throw new SvcError('unauthorized', 'This link was used already or is too old; ask the runner for a new one.');
    }
    ctx.cookies.set(TOKEN_COOKIE, token, { httpOnly: true, sameSite: 'strict', path: '/', overwrite: true });
    ctx.redirect('/dashboard/');
  };
