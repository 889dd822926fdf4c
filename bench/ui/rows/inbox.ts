import type { Page } from 'playwright-core';
import { under } from '../../figure.ts';
import type { Row } from '../../rows/row.ts';
import { median } from '../../statistics.ts';
import { LONG_PLAN_STEPS, LONG_PLAN_WORKFLOW } from '../uiHome.ts';
import type { UiPlace } from '../uiPlace.ts';

const OPENED = 5;

/** Notes the largest paint and each long task of the page. */
const watch = (): void => {
  const timings = { paint: 0, tasks: [] as number[] };
  new PerformanceObserver((list) => {
    timings.paint = list.getEntries().at(-1)?.startTime ?? timings.paint;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    timings.tasks.push(...list.getEntries().map(({ duration }) => duration));
  }).observe({ type: 'longtask', buffered: true });
  Object.assign(window, { benchInbox: timings });
};

/** All of the plan is in the document, and the browser has painted since. */
const isRendered = (steps: number): boolean | Promise<boolean> =>
  document.querySelectorAll('.plan-text h2').length === steps &&
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))));

async function measureOpening(
  page: Page,
): Promise<{ paint: number; worst: number; nodes: number }> {
  await page.waitForFunction(isRendered, LONG_PLAN_STEPS);
  return page.evaluate(() => {
    const { paint, tasks } = Reflect.get(window, 'benchInbox');
    return {
      paint,
      worst: Math.max(0, ...tasks),
      nodes: document.querySelectorAll('*').length,
    };
  });
}

/** The inbox, opened for the first time by a browser, with a plan of 200 KB to be approved. */
export const inboxRow: Row<UiPlace> = {
  figures: ['inbox.paint', 'inbox.task'],
  async measure(place, note) {
    const { client } = place;
    const { jobId } = await client.createJob({
      type: 'job',
      workflowPath: LONG_PLAN_WORKFLOW,
      params: { description: 'A long plan' },
    });
    while ((await client.job(jobId)).approval === null)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const all: Awaited<ReturnType<typeof measureOpening>>[] = [];
    for (let run = 0; run < OPENED; run += 1) {
      await using fresh = await place.fresh('#/inbox', (page) => page.addInitScript(watch));
      all.push(await measureOpening(fresh.page));
    }
    await client.cancel(jobId);
    note(`${all.at(-1)?.nodes} elements with the whole plan`);
    const value = (of: 'paint' | 'worst') => median(all.map((one) => one[of]));
    return {
      'inbox.paint': under({ value: value('paint'), unit: 'ms', target: 1_000 }),
      'inbox.task': under({ value: value('worst'), unit: 'ms', target: 50 }),
    };
  },
};
