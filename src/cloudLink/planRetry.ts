/** Shortest and longest wait before another attempt, ms. */
export const SHORTEST_RETRY_MS = 500;
export const LONGEST_RETRY_MS = 30_000;
/** Wait of a runner whose token is refused: a person has to act, or a broken release of the control plane ends, ms. */
export const REFUSED_RETRY_MS = 5 * 60_000;

/**
 * How long to wait before attempt number `attempt` (from 0), ms: any time up to a limit that doubles, so that the
 * runners of a node that has died do not come back together. `random` gives numbers from 0 to 1.
 */
export function planRetry(attempt: number, random: () => number): number {
  const limit = Math.min(LONGEST_RETRY_MS, SHORTEST_RETRY_MS * 2 ** Math.min(attempt + 1, 16));
  return Math.round(SHORTEST_RETRY_MS + random() * (limit - SHORTEST_RETRY_MS));
}
