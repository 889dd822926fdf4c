import type { Page } from 'playwright-core';
import { under } from '../../figure.ts';
import type { Row } from '../../rows/row.ts';
import { median } from '../../statistics.ts';
import { WIDE_FILES, WIDE_REPO, WIDE_WORKFLOW } from '../uiHome.ts';
import { RUNS, type UiPlace } from '../uiPlace.ts';

/** How far a page is scrolled: steps of a wheel, px each, and the time between two, ms. */
const STEPS = 200;
const STEP_PX = 600;
const BETWEEN_MS = 16;

/** Notes when the first lines are painted, and every task above the 50 ms that browsers report. */
const watch = (): void => {
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      performance.mark('bench task', { startTime, detail: duration });
  }).observe({ entryTypes: ['longtask'] });
  const observer = new MutationObserver(() => {
    if (!document.querySelector('.diff-file tr.added')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => performance.mark('bench drawn')));
  });
  observer.observe(document, { childList: true, subtree: true });
};

interface DiffTimes {
  /** From the click to the first lines on the screen, ms. */
  painted: number;
  /** The longest task from the click to the end of scrolling, ms; 0 = none above 50. */
  longest: number;
  elements: number;
}

async function open(page: Page, hash: string): Promise<DiffTimes> {
  await page.locator('.tabs').waitFor();
  await page.evaluate((to) => {
    performance.mark('bench asked');
    location.hash = to;
  }, hash);
  await page.waitForFunction(() => performance.getEntriesByName('bench drawn').length > 0);
  await page.evaluate(
    async ({ steps, px, ms }) => {
      for (let step = 0; step < steps; step++) {
        scrollBy(0, px);
        await new Promise((resolve) => setTimeout(resolve, ms));
      }
    },
    { steps: STEPS, px: STEP_PX, ms: BETWEEN_MS },
  );
  return page.evaluate(() => {
    const askedAt = performance.getEntriesByName('bench asked')[0]?.startTime ?? Number.NaN;
    const tasks = performance
      .getEntriesByName('bench task')
      .filter(({ startTime }) => startTime >= askedAt)
      .map((mark) => Number(mark instanceof PerformanceMark ? mark.detail : 0));
    return {
      painted: (performance.getEntriesByName('bench drawn')[0]?.startTime ?? Number.NaN) - askedAt,
      longest: Math.max(0, ...tasks),
      elements: document.querySelectorAll('*').length,
    };
  });
}

async function widePullRequest({ client }: UiPlace): Promise<string> {
  const { jobId } = await client.createJob({
    type: 'job',
    workflowPath: WIDE_WORKFLOW,
    params: { repoSlug: WIDE_REPO, description: 'Many files' },
  });
  for (;;) {
    const job = await client.job(jobId);
    if (job.prMappings.length > 0) return jobId;
    if (job.ended) throw new Error(`the job ended: ${job.escalationMessage}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A diff of a thousand files: opened from the page of its job, then scrolled. */
export const diffRow: Row<UiPlace> = {
  figures: ['diff.paint', 'diff.task'],
  async measure(place, note) {
    const job = await widePullRequest(place);
    const openings: DiffTimes[] = [];
    for (let run = 0; run < RUNS; run++) {
      await using fresh = await place.fresh(`#/jobs/${job}`, async (page) => {
        await page.addInitScript(watch);
        // What a forge is asked for with the runner's account is shown to those who are logged in.
        const { path } = await place.client.createLogin();
        await page.goto(new URL(path, place.url).href);
      });
      openings.push(await open(fresh.page, `#/jobs/${job}/changes`));
    }
    note(
      `${WIDE_FILES} files; ${STEPS} steps of ${STEP_PX} px; ${Math.max(...openings.map(({ elements }) => elements))} elements at most; longest tasks ${openings.map(({ longest }) => longest).join(', ')} ms`,
    );
    return {
      'diff.paint': under({
        value: median(openings.map(({ painted }) => painted)),
        unit: 'ms',
        target: 300,
      }),
      'diff.task': under({
        value: median(openings.map(({ longest }) => longest)),
        unit: 'ms',
        target: 50,
      }),
    };
  },
};
