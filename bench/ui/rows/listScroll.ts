import type { Page } from 'playwright-core';
import { under } from '../../figure.ts';
import type { Row } from '../../rows/row.ts';
import { median } from '../../statistics.ts';
import { LISTED_JOBS, MANY_JOBS } from '../uiHome.ts';
import { UiPlace } from '../uiPlace.ts';

const RUNS = 5;
const STEPS = 200;
const STEP_PX = 120;

/** Notes every task that holds up the page for 50 ms or more. */
const watchTasks = (): void => {
  const tasks: number[] = [];
  Object.assign(window, { benchTasks: tasks });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration);
  }).observe({ type: 'longtask' });
};

const ofAll = (jobs: number): string => `of ${jobs.toLocaleString('en')}`;
/** Until the row at the top of the view shows a job. */
const rowsAreRead = () => {
  const rows = [...document.querySelectorAll('.job-rows .job-row')];
  return rows.length > 0 && rows.every((row) => row.getAttribute('aria-busy') === 'false');
};

/** Longest task while the wheel turns, ms; 0 = none of 50 ms. */
async function scrolled(page: Page): Promise<number> {
  await page.evaluate(watchTasks);
  await page.locator('.job-rows').hover();
  for (let step = 0; step < STEPS; step++) await page.mouse.wheel(0, STEP_PX);
  await page.waitForFunction(rowsAreRead);
  return Math.max(0, ...(await page.evaluate<number[]>('window.benchTasks')));
}

async function measureScroll(place: UiPlace) {
  // Rows that were measured earlier have left jobs of their own.
  const { total: jobs } = await place.client.jobs({ limit: 1 });
  const figures = { interactive: [] as number[], task: [] as number[], end: [] as number[] };
  for (let run = 0; run < RUNS; run++) {
    await using fresh = await place.fresh('#/jobs');
    const { page } = fresh;
    await page.getByText(ofAll(jobs)).waitFor();
    await page.waitForFunction(rowsAreRead);
    figures.interactive.push(await page.evaluate(() => performance.now()));
    figures.task.push(await scrolled(page));
    const started = performance.now();
    await page.locator('.job-rows').press('End');
    await page.getByText(`–${jobs.toLocaleString('en')} ${ofAll(jobs)}`).waitFor();
    await page.waitForFunction(rowsAreRead);
    figures.end.push(performance.now() - started);
  }
  return figures;
}

/** The list, opened, scrolled with the wheel, and left at its end. */
const createScrollRow = (
  name: string,
  place: (base: UiPlace) => Promise<UiPlace>,
  jobs: number,
): Row<UiPlace> => ({
  figures: [`${name}.interactive`, `${name}.task`, `${name}.end`],
  async measure(base, note) {
    const at = await place(base);
    const { interactive, task, end } = await measureScroll(at);
    note(
      `${jobs} jobs: longest tasks of ${STEPS} steps ${task.map((ms) => ms.toFixed(0)).join(', ')} ms`,
    );
    if (at !== base) await at[Symbol.asyncDispose]();
    return {
      [`${name}.interactive`]: under({ value: median(interactive), unit: 'ms', target: 1_000 }),
      [`${name}.task`]: under({ value: median(task), unit: 'ms', target: 50 }),
      [`${name}.end`]: under({ value: median(end), unit: 'ms', target: 500 }),
    };
  },
});

export const listScrollRow = createScrollRow('list', async (base) => base, LISTED_JOBS);
export const manyJobsRow = createScrollRow('list100k', () => UiPlace.open(MANY_JOBS), MANY_JOBS);
