/**
 * Waits before a write to a forge or tracker that does not answer is sent again, ms: 41 seconds in
 * all, less than the minute after which agents give up a call of a tool.
 */
const WRITE_RETRY_MS: readonly number[] = [100, 1_000, 5_000, 10_000, 25_000];

/** The waits of the kernel for writes that met an outage; undefined = those of every effect. */
export const pickWriteRetries = (
  type: string,
  code: string | undefined,
): readonly number[] | undefined =>
  type === 'forge.write' && code === 'unreachable' ? WRITE_RETRY_MS : undefined;
