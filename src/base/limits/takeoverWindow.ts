/** Silence of a runner after which another one may take its home over, ms. */
export const TAKEOVER_MS = 60_000;
/** What it may be set to, ms. */
export const MIN_TAKEOVER_MS = 30_000;
export const MAX_TAKEOVER_MS = 600_000;
