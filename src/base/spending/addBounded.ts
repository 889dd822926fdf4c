/**
 * Most that a sum of tokens, millionths of a dollar, calls or milliseconds can be: 2^53-1, the
 * largest whole number that JavaScript counts exactly. A sum that reaches it stays there.
 */
export const MAX_SUM = Number.MAX_SAFE_INTEGER;

/** Adds two numbers, neither below 0; never more than {@link MAX_SUM}. */
export const addBounded = (one: number, other: number): number => Math.min(MAX_SUM, one + other);
