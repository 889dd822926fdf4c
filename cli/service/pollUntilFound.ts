import { setTimeout as wait } from 'node:timers/promises';

/** Between two looks, ms, and their number: half a minute. */
const LOOK_MS = 250;
const LOOKS = 120;

/** What `look` finds as soon as it finds something; null after half a minute without. */
export async function pollUntilFound<Found>(
  look: () => Promise<Found | null>,
): Promise<Found | null> {
  for (let n = 0; n < LOOKS; n += 1) {
    const found = await look();
    if (found !== null) return found;
    await wait(LOOK_MS);
  }
  return null;
}
