/**
 * Longest wait for what a test expects of a process, a page or a server, ms. It decides only how soon a
 * test fails; a machine that is shared can take several times as long as a quiet one.
 */
export const PATIENCE_MS = 120_000;

/**
 * The promise; after `ms` an error that names what was waited for. Without it, a wait for what never
 * comes ends with the file, minutes later and without a word. `what` is asked when it is late:
 * "waited 30 s for …".
 */
export function inTime<T>(promise: Promise<T>, what: () => string, ms = PATIENCE_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${ms / 1000} s for ${what()}`)), ms);
    // One that loses a race keeps no process alive.
    timer.unref();
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
