/**
 * A function that calls `act` immediately, or `ms` after its last call began and not before that
 * one has ended; calls in between count as one. It ends with the signal.
 */
export function throttleCalls(
  ms: number,
  act: () => Promise<unknown>,
  signal: AbortSignal,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let busy = false;
  let again = false;

  async function run(): Promise<void> {
    busy = true;
    again = false;
    const rest = new Promise((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await act();
    await rest;
    busy = false;
    if (again && !signal.aborted) void run();
  }

  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  return () => {
    if (signal.aborted) return;
    if (busy) again = true;
    else void run();
  };
}
