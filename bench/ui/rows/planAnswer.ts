import { under } from '../../figure.ts';
import type { Row } from '../../rows/row.ts';
import { median } from '../../statistics.ts';
import { LAST_PART, LONG_ANSWER } from '../longAnswer.ts';
import { RUNS, type UiPlace } from '../uiPlace.ts';

/** Notes how long each task of the page takes that browsers call long: more than 50 ms. */
const watch = (): void => {
  const tasks: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration);
  });
  observer.observe({ type: 'longtask' });
  Object.assign(window, { benchTasks: tasks });
};

/** An answer of 40 KB in plan mode: the longest task of the page while it is written. */
export const planAnswerRow: Row<UiPlace> = {
  figures: ['plan.answer.task'],
  async measure(place, note) {
    const longest: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      // Only a browser that is logged in may ask a model.
      const { path } = await place.client.createLogin();
      await using fresh = await place.fresh('#/plan', (page) =>
        page.goto(new URL(path, place.url).href),
      );
      const { page } = fresh;
      await page.getByRole('button', { name: 'Dispatch …' }).waitFor();
      await page.evaluate(watch);
      await page.getByLabel('Message').fill('Tell it all. @@answer');
      await page.getByLabel('Message').press('Control+Enter');
      await page.getByRole('heading', { name: LAST_PART, exact: true }).waitFor();
      await page.locator('.turn-answer[aria-busy="false"]').waitFor();
      longest.push(Math.max(0, ...(await page.evaluate<number[]>('window.benchTasks'))));
    }
    note(
      `${LONG_ANSWER.say?.length ?? 0} characters, ${longest.filter((ms) => ms > 0).length} of ${RUNS} runs with a task above 50 ms`,
    );
    return { 'plan.answer.task': under({ value: median(longest), unit: 'ms', target: 50 }) };
  },
};
