import { setTimeout as wait } from 'node:timers/promises';
import { under } from '../../figure.ts';
import type { Row } from '../../rows/row.ts';
import { letSay, startTalker } from '../talk.ts';
import type { FreshPage, UiPlace } from '../uiPlace.ts';

/** What the page keeps of a log; from there on old lines go as new ones come. */
const KEPT_LINES = 20_000;
/**
 * An hour of an agent that says ten lines a second, and how often within it the memory is looked
 * at.
 */
const HOUR_LINES = 36_000;
const LOOKS = 6;

/** Bytes that are used after the garbage was collected. */
async function measureHeap({ page, cdp }: FreshPage): Promise<number> {
  // Memory that only finalizers release is freed by a later collection.
  for (let round = 0; round < 3; round++) {
    await cdp.send('HeapProfiler.collectGarbage');
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  return (await cdp.send('Runtime.getHeapUsage')).usedSize;
}

async function describeMemoryParts({ cdp }: FreshPage): Promise<string> {
  const { nodes, jsEventListeners } = await cdp.send('Memory.getDOMCounters');
  return `${nodes} nodes, ${jsEventListeners} listeners`;
}

export const memoryRow: Row<UiPlace> = {
  figures: ['memory.hour'],
  async measure(place, note) {
    const job = await startTalker(place, 'watched');
    await using fresh = await place.fresh(`#/jobs/${job}/log`);
    const waitForLines = async (lines: number): Promise<number> => {
      letSay(place, 'watched', lines);
      await fresh.page.getByText(`line ${lines} of`).waitFor();
      // What was given out with the last lines.
      await wait(500);
      return measureHeap(fresh);
    };
    const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
    const emptyBytes = await waitForLines(100);
    // Lines of one more look fill the other buffers of the page: heights of rows, text of the
    // search.
    const heaps = [await waitForLines(KEPT_LINES + HOUR_LINES / LOOKS)];
    const before = await describeMemoryParts(fresh);
    for (let look = 2; look <= LOOKS + 1; look++)
      heaps.push(await waitForLines(KEPT_LINES + (look * HOUR_LINES) / LOOKS));
    await place.client.cancel(job);
    note(
      `${mib(emptyBytes)} MiB with an empty log; ${heaps.map(mib).join(', ')} MiB during the hour with ${KEPT_LINES} lines kept`,
    );
    note(`${before} at its beginning, ${await describeMemoryParts(fresh)} at its end`);
    const growth = (heaps.at(-1) ?? Number.NaN) - (heaps[0] ?? Number.NaN);
    return { 'memory.hour': under({ value: growth / 1024 / 1024, unit: 'MiB', target: 1 }) };
  },
};
