import Router from '@koa/router';

/** Addresses whose routes are kept: more requests are seldom under way at once. */
const MOST_KEPT = 64;
/** Longest address that is kept. */
const MOST_CHARS = 256;

/**
 * A router that seeks the routes of an address once for a request. The gate asks what the address
 * requires, the router asks again once the body is there, and each search tries every route.
 */
export class MatchingRouter extends Router {
  readonly #found = new Map<string, ReturnType<Router['match']>>();

  override match(path: string, method: string): ReturnType<Router['match']> {
    const address = `${method} ${path}`;
    const known = this.#found.get(address);
    if (known) return known;
    const found = super.match(path, method);
    if (address.length <= MOST_CHARS) this.#found.set(address, found);
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= MOST_KEPT) break;
      this.#found.delete(oldest);
    }
    return found;
  }
}
