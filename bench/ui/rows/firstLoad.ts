import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { under } from '../../figure.ts';
import type { Row } from '../../rows/row.ts';
import { median } from '../../statistics.ts';
import { RUNS, type UiPlace } from '../uiPlace.ts';

/** Instants of one first look at the list of jobs, ms since the navigation began. */
interface Load {
  paint: number;
  /** The jobs are on the screen, and what was typed into the search has narrowed them. */
  interactive: number;
  scripts: string[];
}

/**
 * Types into the search as soon as it exists, and notes when the list shows the result.
 */
const watch = (): void => {
  const searchText = '000999';
  const observer = new MutationObserver(() => {
    const field = document.querySelector<HTMLInputElement>('[data-search]');
    if (field && field.value === '' && document.querySelector('.job-row')) {
      field.value = searchText;
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
    if (document.querySelectorAll('.job-row').length !== 1 || field?.value !== searchText) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => performance.mark('bench interactive')));
  });
  observer.observe(document, { childList: true, subtree: true });
};

const read = (page: Page): Promise<Load> =>
  page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    interactive: performance.getEntriesByName('bench interactive')[0]?.startTime ?? Number.NaN,
    scripts: performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith('.js')),
  }));

/** The list of jobs, opened for the first time by a browser that has nothing of it. */
export const firstLoadRow: Row<UiPlace> = {
  figures: ['load.script', 'load.paint', 'load.interactive'],
  async measure(place, note) {
    const loads: Load[] = [];
    for (let run = 0; run < RUNS; run++) {
      await using fresh = await place.fresh('#/jobs', (page) => page.addInitScript(watch));
      await fresh.page.waitForFunction(
        () => performance.getEntriesByName('bench interactive').length > 0,
      );
      loads.push(await read(fresh.page));
    }
    const scripts = loads.at(-1)?.scripts ?? [];
    const bytes = scripts.map(
      (path) => gzipSync(readFileSync(join(place.built, path.replace('/dashboard/', '')))).length,
    );
    note(`${scripts.length} scripts until the list answers`);
    const value = (of: keyof Omit<Load, 'scripts'>) => median(loads.map((load) => load[of]));
    return {
      'load.script': under({
        value: bytes.reduce((sum, size) => sum + size, 0) / 1024,
        unit: 'KiB',
        target: 120,
      }),
      'load.paint': under({ value: value('paint'), unit: 'ms', target: 1_000 }),
      'load.interactive': under({ value: value('interactive'), unit: 'ms', target: 1_500 }),
    };
  },
};
