import type { Page } from 'playwright-core';
import { under } from '../../figure.ts';
import type { Row } from '../../rows/row.ts';
import { median } from '../../statistics.ts';
import { LARGE_PHASES, LARGE_WORKFLOW } from '../uiHome.ts';
import { RUNS, type UiPlace } from '../uiPlace.ts';

const HASH = `#/machines/${encodeURIComponent(LARGE_WORKFLOW)}`;
/** How long a person looks at the list of jobs before the chart is asked for, ms. */
const LOOKED_MS = 3_000;

const watch = (boxes: number): void => {
  const observer = new MutationObserver(() => {
    if (document.querySelectorAll('.graph-svg .node.state').length < boxes) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => performance.mark('bench drawn')));
  });
  observer.observe(document, { childList: true, subtree: true });
};

interface Drawn {
  /** From the click, or from the navigation, to the picture on the screen, ms. */
  seen: number;
  /** From the chart's being known to its being placed, ms: wall clock, worker included. */
  placed: number;
}

async function read(page: Page): Promise<Drawn> {
  await page.waitForFunction(() => performance.getEntriesByName('bench drawn').length > 0);
  return page.evaluate(() => ({
    seen:
      (performance.getEntriesByName('bench drawn')[0]?.startTime ?? Number.NaN) -
      (performance.getEntriesByName('bench asked')[0]?.startTime ?? 0),
    placed: performance.getEntriesByName('chart layout').at(-1)?.duration ?? Number.NaN,
  }));
}

/** From the list of jobs to the chart, as a person goes. */
async function byClick(place: UiPlace): Promise<Drawn> {
  await using fresh = await place.fresh('', (page) => page.addInitScript(watch, LARGE_PHASES));
  const { page } = fresh;
  await page.locator('.job-row').first().waitFor();
  await page.waitForTimeout(LOOKED_MS);
  await page.evaluate((to) => {
    performance.mark('bench asked');
    location.hash = to;
  }, HASH);
  return await read(page);
}

/**
 * By its address, in a browser with an empty cache: the worker starts together with everything
 * else.
 */
async function byAddress(place: UiPlace): Promise<Drawn> {
  await using fresh = await place.fresh(HASH, (page) => page.addInitScript(watch, LARGE_PHASES));
  return await read(fresh.page);
}

export const chartRow: Row<UiPlace> = {
  figures: ['chart.click', 'chart.cold'],
  async measure(place, note) {
    const clicked: Drawn[] = [];
    const opened: Drawn[] = [];
    for (let run = 0; run < RUNS; run++) {
      clicked.push(await byClick(place));
      opened.push(await byAddress(place));
    }
    const of = (all: readonly Drawn[], which: keyof Drawn) => median(all.map((one) => one[which]));
    note(`by click: placed within ${of(clicked, 'placed').toFixed(0)} ms of being known`);
    note(
      `by address: on the screen ${of(opened, 'seen').toFixed(0)} ms after the navigation, page and worker included`,
    );
    return {
      'chart.click': under({ value: of(clicked, 'seen'), unit: 'ms', target: 300 }),
      'chart.cold': under({ value: of(opened, 'placed'), unit: 'ms', target: 300 }),
    };
  },
};
