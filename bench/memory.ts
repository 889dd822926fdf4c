export interface Memory {
  /** Bytes that are still used after the garbage was collected. */
  heap: number;
  /** Bytes of the process that are in memory. */
  rss: number;
}

/** Of this process, which must run with --expose-gc. */
export async function residentMemory(): Promise<Memory> {
  if (!globalThis.gc)
    throw new Error('the garbage collector cannot be called: start this process with --expose-gc');
  // Memory that only finalizers release (statements, sockets) is freed by a later collection.
  for (let round = 0; round < 3; round++) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, rss };
}

/** Processor time that this process has used, ms. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
