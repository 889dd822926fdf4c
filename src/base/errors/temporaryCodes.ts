/**
 * Codes of errors that end on their own: another service does not answer, or takes no more requests
 * for a while. Nothing was done, and the same request may succeed later.
 */
const TEMPORARY_CODES: readonly string[] = ['unreachable', 'rate-limited'];

export const isTemporary = (code: unknown): boolean =>
  typeof code === 'string' && TEMPORARY_CODES.includes(code);
