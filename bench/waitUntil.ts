import { setTimeout as wait } from 'node:timers/promises';

/** Longest wait for something that must come, ms. */
const PATIENCE_MS = 120_000;
/** Between two looks, ms. */
const LOOK_MS = 5;

export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  lookMs = LOOK_MS,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('it did not come to that');
    await wait(lookMs);
  }
}
