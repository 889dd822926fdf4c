import type { BrowserContext, Page, Request } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { countRequests } from '../support/browser/countRequests.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';

const test = suite('browser: many tabs of one browser');

/** Counts aloud until it is ended. */
const COUNTER = `
for (let n = 1; ; n += 1) {
  console.log('count ' + n);
  await new Promise((resolve) => setTimeout(resolve, 20));
}
`;

/**
 * More than the connections that a browser makes to one server, and than the streams of jobs that
 * its tabs may hold.
 */
const TABS = 7;
const SEATS = 3;

const lines = (page: Page) => page.locator('.log-row').first();
const crowded = (page: Page) => page.getByText('The log is paused');

/** Says to the page that it is seen, or not: a browser without a window shows all of its tabs. */
const show = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { value: now, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

/**
 * The stream of the list in a browser whose only tab is `first`. A tab that is too slow to answer
 * counts as asleep, and its stream is taken from it: which tab has it is not certain, that one has
 * it is.
 */
async function followList(context: BrowserContext, first: Page) {
  const open = new Set<Request>();
  const isStream = (request: Request) => request.url().endsWith('/jobs/stream');
  const getPage = (request: Request) => request.frame().page();
  const holders = () => [...open].map(getPage).filter((page) => !page.isClosed());
  context.on('request', (request) => {
    if (isStream(request)) open.add(request);
  });
  context.on('requestfailed', (request) => open.delete(request));
  const begins = (page: Page) =>
    context.waitForEvent('request', (request) => isStream(request) && getPage(request) === page);
  // Begins again, so that its stream is counted.
  const again = begins(first);
  await first.reload();
  await again;
  return {
    begins,
    /** The tab that has the stream, as soon as only one has it. */
    async holder(): Promise<Page> {
      for (;;) {
        const [only, ...others] = holders();
        if (only && others.length === 0) return only;
        await Promise.race([
          context.waitForEvent('request', isStream),
          context.waitForEvent('requestfailed', isStream),
        ]);
      }
    },
  };
}

if (hasBrowser('many tabs of Chromium')) {
  const stage = await DashboardStage.open({ counter: COUNTER }, {}, { sharesRenderers: false });
  test.after(() => stage.close());

  test('with more tabs than a browser has connections, every tab responds, and those without a stream show a notice', async () => {
    const id = await stage.job('counter', 'Count');
    const first = await stage.page(`#/jobs/${id}/log`);
    const context = first.context();
    const list = await followList(context, first);
    await lines(first).waitFor();
    const tabs = [first];
    while (tabs.length < TABS) {
      const page = await context.newPage();
      await page.goto(first.url());
      await page.getByRole('button', { name: 'Pause' }).waitFor();
      await (tabs.length < SEATS ? lines(page) : crowded(page)).waitFor();
      tabs.push(page);
    }
    assert.ok(tabs.includes(await list.holder()), 'one tab holds the stream of the list for all');

    const [, second, , fourth, , , last] = tabs as [Page, Page, Page, Page, Page, Page, Page];
    await last.getByRole('button', { name: 'Pause' }).click();
    for (const page of tabs) await page.getByRole('button', { name: 'Resume' }).waitFor();

    await show(second, 'hidden');
    await crowded(fourth).waitFor({ state: 'detached' });
    await lines(fourth).waitFor();
    await show(second, 'visible');
    await crowded(second).waitFor();

    await last.getByRole('button', { name: 'More actions' }).click();
    await last.getByRole('button', { name: 'Cancel the job …' }).click();
    await last.getByRole('button', { name: 'Cancel the job', exact: true }).click();
    for (const page of tabs) await page.locator('.pill', { hasText: 'cancelled' }).waitFor();
    await crowded(second).waitFor({ state: 'detached' });
    assert.equal(stage.problems, []);
    await context.close();
  });

  test('a second tab asks for at most 20 things, whatever page it opens, and for workflows once (UI-2)', async () => {
    const first = await stage.page('#/jobs');
    for (const [hash, shows] of [
      ['#/jobs', '.jobs-page h1'],
      ['#/board', '.page-head h1'],
      ['#/plan', '.run-dispatch'],
      ['#/workflows', '.drawing .graph-svg .node'],
      ['#/statistics', '#throughput'],
    ] as const) {
      const open = async () => {
        const page = await first.context().newPage();
        const read = await countRequests(page);
        await page.goto(`${stage.runner.url}/dashboard/${hash}`);
        await page.locator(shows).first().waitFor();
        return { page, read };
      };
      await (await open()).page.close();
      const { page, read } = await open();
      const { urls } = read();
      assert.ok(urls.length <= 20, `${hash}:\n${urls.join('\n')}`);
      assert.ok(urls.filter((url) => url.endsWith('/workflows')).length <= 1, hash);
      await page.close();
    }
    assert.equal(stage.problems, []);
    await closePage(first);
  });

  test('a tab that was hidden continues where it stopped: no line is lost or doubled', async () => {
    const id = await stage.job('counter', 'Count unseen');
    const page = await stage.page(`#/jobs/${id}/log`);
    await lines(page).waitFor();
    const released = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith(`/jobs/${id}/stream`),
    );
    await show(page, 'hidden');
    await released;
    await stage.client.pause(id);
    await stage.until(id, ({ parked }) => parked?.kind === 'paused');
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await show(page, 'visible');
    await page.locator('.log-row', { hasText: 'resume or a message continues it' }).waitFor();
    const counts = (await page.locator('.log-row .text').allTextContents()).flatMap(
      (text) => /count (\d+)/.exec(text)?.[1] ?? [],
    );
    const begin = Number(counts[0]);
    assert.equal(
      counts.map(Number),
      counts.map((_, index) => begin + index),
    );
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('the tab that holds the stream of the list is closed, or put to sleep by the browser: another one takes over', async () => {
    const first = await stage.page('#/jobs');
    const context = first.context();
    const list = await followList(context, first);
    await first.locator('.job-row').first().waitFor();
    const open = async () => {
      const page = await context.newPage();
      await page.goto(first.url());
      await page.locator('.job-row').first().waitFor();
      return page;
    };
    const tabs = [first, await open(), await open()];
    const closed = await list.holder();
    await closed.close();
    const openTabs = tabs.filter((page) => page !== closed);
    await stage.job('counter', 'After one was closed');
    for (const page of openTabs)
      await page.locator('.job-row', { hasText: 'After one was closed' }).waitFor();

    const sleeper = await list.holder();
    const [other] = openTabs.filter((page) => page !== sleeper);
    assert.ok(other);
    const byOther = list.begins(other);
    const asleep = await context.newCDPSession(sleeper);
    // Nothing of the page runs any more, from its next step on.
    await asleep.send('Debugger.enable');
    await asleep.send('Debugger.pause');
    await show(other, 'visible');
    await stage.job('counter', 'While one sleeps');
    await other.locator('.job-row', { hasText: 'While one sleeps' }).waitFor();
    // The list may have come first, by a read of the tab that became visible.
    await byOther;

    await asleep.send('Debugger.disable');
    await sleeper.locator('.job-row', { hasText: 'While one sleeps' }).waitFor();
    await stage.job('counter', 'All are awake');
    for (const page of openTabs)
      await page.locator('.job-row', { hasText: 'All are awake' }).waitFor();
    assert.equal(stage.problems, []);
    await context.close();
  });
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('many tabs of Chromium'));
  });
}

test.run();
