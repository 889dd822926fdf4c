import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { atLeast, under } from '../../figure.ts';
import type { Row } from '../../rows/row.ts';
import { median, percentile } from '../../statistics.ts';
import { letSay, startTalker } from '../talk.ts';
import type { UiPlace } from '../uiPlace.ts';

const LINES = 52_000;
/** Lines that are read one page after the other before it is scrolled. */
const READ_LINES = 20_000;
/** Longest task of the page that is not a hitch, ms. */
const LONGEST_TASK_MS = 50;
const WHEEL_STEPS = 200;
const MEASURED_RUNS = 5;
/**
 * How fast it is scrolled: a page of the window in a third of a second, px for each frame of 60 in
 * a second.
 */
const PX_PER_FRAME = 40;
const SCROLLED_MS = 2_000;

/** Scrolls up; returns the time between frames, ms, and the number of frames without a line. */
const scroll = async ({
  px,
  ms,
}: {
  px: number;
  ms: number;
}): Promise<{ between: number[]; empty: number }> => {
  const box = document.querySelector<HTMLElement>('.virtual.log');
  if (!box) throw new Error('there is no log');
  const between: number[] = [];
  let empty = 0;
  const middle = box.getBoundingClientRect();
  await new Promise<void>((resolve) => {
    const start = performance.now();
    let last = start;
    const frame = (now: number) => {
      if (now > last) between.push(now - last);
      last = now;
      if (now - start > ms) return resolve();
      const element = document.elementFromPoint(middle.left + 200, middle.top + middle.height / 2);
      if (!element?.closest('[data-index]')) empty += 1;
      box.scrollTop -= px;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  return { between, empty };
};

/** Notes the tasks of the page that take longer than 50 ms, from its beginning. */
const noteLongTasks = (): void => {
  const noted: number[] = [];
  Object.assign(window, { longTasks: noted });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) noted.push(entry.duration);
  }).observe({ entryTypes: ['longtask'] });
};
/** The longest since the last call; 0 = none took longer than 50 ms. */
const longestTask = (): number => {
  const noted: unknown = Reflect.get(window, 'longTasks');
  return Array.isArray(noted) ? Math.max(0, ...noted.splice(0).map(Number)) : 0;
};

/** What a person does with a long log, and the longest task of each part, ms. */
async function use(page: Page): Promise<Record<string, number>> {
  const tasks: Record<string, number> = {};
  const part = async (name: string, run: () => Promise<unknown>) => {
    await page.evaluate(longestTask);
    await run();
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    tasks[name] = await page.evaluate(longestTask);
  };
  const box = page.locator('.virtual.log');
  await part('older', async () => {
    for (let read = 2_000; read < READ_LINES; read += 2_000) {
      const count = new Intl.NumberFormat('en').format(read + 2_000);
      await page.getByRole('button', { name: 'Load older' }).click();
      await page.getByText(`Last ${count} of`).waitFor();
    }
  });
  await part('wheel', async () => {
    await box.hover();
    for (let step = 0; step < WHEEL_STEPS; step += 1) await page.mouse.wheel(0, -400);
  });
  await part('search', async () => {
    await page.getByLabel('Search the log').fill(`line ${LINES - 19_000} of`);
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await page.getByLabel('Search the log').fill('');
  });
  await part('far line', async () => {
    await page.evaluate(() => {
      location.hash = `${location.hash.replace(/#L\d+$/, '')}#L100`;
    });
    await page.locator('.log-row.current').waitFor();
  });
  return tasks;
}

/** A log of 52,000 lines: read, searched, and scrolled through by hand. */
export const logScrollRow: Row<UiPlace> = {
  figures: ['log.scroll', 'log.longestTask'],
  async measure(place, note) {
    const job = await startTalker(place, 'scrolled');
    letSay(place, 'scrolled', LINES);
    // An open page would have followed them.
    while ((await place.client.log(job, { limit: 1 })).total < LINES) await wait(200);
    const rates: number[] = [];
    const slowest: number[] = [];
    const longest: number[] = [];
    const worst: Record<string, number> = {};
    let empty = 0;
    for (let run = 0; run < MEASURED_RUNS; run++) {
      await using fresh = await place.fresh(`#/jobs/${job}/log`);
      const { page } = fresh;
      await page.getByText(`line ${LINES} of`).waitFor();
      await page.evaluate(noteLongTasks);
      const frames = await page.evaluate(scroll, { px: PX_PER_FRAME, ms: SCROLLED_MS });
      rates.push((1_000 * frames.between.length) / frames.between.reduce((sum, ms) => sum + ms, 0));
      slowest.push(percentile(frames.between, 95));
      empty += frames.empty;
      const scrolled = await page.evaluate(longestTask);
      const tasks = { scroll: scrolled, ...(await use(page)) };
      longest.push(Math.max(...Object.values(tasks)));
      for (const [name, ms] of Object.entries(tasks)) worst[name] = Math.max(worst[name] ?? 0, ms);
    }
    await place.client.cancel(job);
    note(
      `${LINES} lines; 95 of 100 frames within ${median(slowest).toFixed(1)} ms; ${empty} frames without a line`,
    );
    note(
      `longest tasks over ${LONGEST_TASK_MS} ms in ${MEASURED_RUNS} runs: ${Object.entries(worst)
        .map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`)
        .join(', ')}`,
    );
    return {
      'log.scroll': atLeast({ value: median(rates), unit: '/s', target: 50 }),
      'log.longestTask': under({
        value: median(longest),
        unit: 'ms',
        target: LONGEST_TASK_MS,
      }),
    };
  },
};
