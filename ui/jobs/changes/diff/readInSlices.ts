import { yieldToBrowser } from '../../../shell/signals/yieldToBrowser.ts';
import type { Diff } from './diffFile.ts';
import { readDiffInSteps } from './readDiffInSteps.ts';

/** Longest work without a pause, ms: the page answers to a key or a click in between. */
const SLICE_MS = 12;

/** Reads a diff without holding up the page; null when it was no longer wanted. */
export async function readInSlices(text: string, signal: AbortSignal): Promise<Diff | null> {
  const reading = readDiffInSteps(text);
  let beganAt = performance.now();
  for (;;) {
    if (signal.aborted) return null;
    const { done, value } = reading.next();
    if (done) return value;
    if (performance.now() - beganAt < SLICE_MS) continue;
    await yieldToBrowser();
    beganAt = performance.now();
  }
}
