import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: a runner that goes and comes back');
const long = longLane(test);

/** Counts aloud. A session that was killed starts counting again. */
const COUNTER = `
for (let n = 1; ; n += 1) {
  console.log('count ' + n);
  await new Promise((resolve) => setTimeout(resolve, 20));
}
`;

if (hasBrowser('a restart under an open page')) {
  const stage = await DashboardStage.open({ counter: COUNTER });
  test.after(() => stage.close());

  test('the runner is killed and started again while the page is open: the loss is shown and healed, no line is lost or doubled', async () => {
    const id = await stage.job('counter', 'Count');
    const page = await stage.page(`#/jobs/${id}/log`);
    await page
      .locator('.log-row', { hasText: /count [2-9]\d/ })
      .first()
      .waitFor();

    await stage.runner.kill();
    await page.getByText('No connection to the runner since').waitFor();
    assert.ok(
      await page.locator('.log-row').first().isVisible(),
      'earlier lines can still be read',
    );
    // The last known state stays, and no command can be sent.
    assert.ok(await page.getByRole('button', { name: 'Pause' }).isDisabled());
    // The banner is over it.
    await page.getByRole('button', { name: 'More actions' }).press('Enter');
    assert.ok(await page.getByRole('button', { name: 'Cancel the job …' }).isDisabled());
    assert.is(await page.locator('.job-page.stale').count(), 1);
    assert.is(await page.getByRole('heading', { level: 1 }).textContent(), 'Count');

    await stage.runner.start();
    await page.getByText('No connection to the runner since').waitFor({ state: 'detached' });
    // The next session has begun to count.
    while (!/runner restarted here.*count 1\b/s.test(await stage.client.logText(id)))
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    await stage.until(id, ({ parked }) => parked?.kind === 'paused');

    // Every frame of the stream that is a log line, as the runner has stored them.
    const stop = new AbortController();
    const { followJob } = await import('../../src/api/client/stream.ts');
    const storedLines: string[] = [];
    await followJob({
      client: stage.client,
      jobId: id,
      after: 0,
      signal: stop.signal,
      onFrame({ kind, data }) {
        if (kind !== 'log') return;
        const { line } = data as { line: string };
        storedLines.push(line);
        if (/paused/.test(line)) stop.abort();
      },
    });
    await page.getByText(`${storedLines.length} lines`, { exact: true }).waitFor();
    // The mark is where the runner died: what was counted before it, then it begins again.
    const mark = storedLines.indexOf('runner restarted here');
    assert.match(storedLines[mark - 1] ?? '', /^count \d+$/);
    assert.ok(storedLines.indexOf('count 1', mark) > mark);
    assert.is((await stage.client.timeline(id)).restarts.length, 1);
    const box = page.locator('.log');
    const shownLines = new Map<number, string>();
    await box.evaluate((log) => {
      log.scrollTop = 0;
    });
    for (let round = 0; shownLines.size < storedLines.length && round < 400; round += 1) {
      const rows = await box
        .locator('[data-index]')
        .evaluateAll((all) =>
          all.map(
            (row) =>
              [
                Number(row.querySelector('.number')?.textContent ?? 0),
                row.querySelector('.line')?.textContent ?? '',
              ] as const,
          ),
        );
      for (const [number, text] of rows) if (number > 0) shownLines.set(number, text);
      await box.evaluate((log) => {
        log.scrollTop += 400;
      });
      await page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
    }
    assert.equal(
      storedLines.map((_, index) => shownLines.get(index + 1)),
      storedLines,
    );
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long('the list heals as well: it shows what changed while the runner was down', async () => {
    const page = await stage.page('#/jobs');
    await page.locator('.job-row').getByText('Count').waitFor();
    await stage.runner.kill();
    await page.getByText('No connection to the runner since').waitFor();
    await stage.runner.start();
    const id = await stage.job('counter', 'Made after the restart');
    await page.locator('.job-row').getByText('Made after the restart').waitFor();
    await stage.client.cancel(id);
    await page
      .locator('.job-row', { hasText: 'Made after the restart' })
      .getByText('cancelled')
      .waitFor();
    assert.equal(stage.problems, []);
    await closePage(page);
  });
  test('a page that is opened while the runner is down reports what is missing, and loads fully once the runner is back', async () => {
    const page = await stage.page('#/jobs');
    await page.locator('.job-row').first().waitFor();
    await stage.runner.kill();
    await page.getByText('No connection to the runner since').waitFor();
    await page.getByRole('link', { name: 'System charts' }).click();
    await page
      .getByRole('alert')
      .getByText('Part of this page could not be loaded from the runner.')
      .waitFor();
    // The banner covers none of the words that say so of a page.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => {
      location.hash = '#/jobs?q=titles';
    });
    const missing = page.getByText('Not loaded yet: the runner does not answer.');
    await missing.waitFor();
    const [banner, words] = await Promise.all(
      [page.locator('.connection-lost'), page.locator('h1')].map((one) => one.boundingBox()),
    );
    assert.ok(banner && words && banner.y + banner.height <= words.y, 'the banner is above');
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.goBack();

    await stage.runner.start();
    await page.locator('.graph-svg .node.state').first().waitFor();
    assert.is(await page.getByRole('alert').count(), 0);
    const fill = (of: string) =>
      page
        .locator(of)
        .first()
        .evaluate((shape) => getComputedStyle(shape).fill);
    assert.is(await fill('.graph-svg .node.state rect'), 'rgb(255, 255, 255)');
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('what a proxy answers for a runner that it cannot reach counts as no connection: title and state of a job stay (UI-1)', async () => {
    const id = await stage.job('job', 'A job behind a proxy');
    const page = await stage.page('#/jobs');
    const title = page.locator('.job-row', { hasText: 'A job behind a proxy' });
    await title.waitFor();
    await page.route(
      ({ pathname }) => !pathname.startsWith('/dashboard'),
      (route) => route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Busy</h1>' }),
    );
    await page.goto(`${stage.runner.url}/dashboard/#/jobs/${id}`);
    await page.getByText('No connection to the runner since').waitFor();
    await page.getByRole('heading', { level: 1, name: 'A job behind a proxy' }).waitFor();
    assert.is(await page.locator('.page-head .pill').count(), 1);
    assert.is(await page.getByRole('alert').count(), 0);
    await page.unrouteAll();
    await page.getByRole('navigation', { name: 'Sections of this job' }).waitFor();
    await page.getByText('No connection to the runner since').waitFor({ state: 'detached' });
    // The browser logs the answers that were made up.
    stage.problems.length = 0;
    await stage.client.cancel(id);
    await closePage(page);
  });

  test('a page whose file does not come leaves the others alone; behind a proxy without a runner it comes by itself (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    await page.locator('.job-row').first().waitFor();
    const alert = page.getByRole('alert').getByText('Part of this page could not be loaded');
    await page.route('**/BudgetsPage*', (route) => route.abort());
    await page.getByRole('link', { name: 'Budgets' }).click();
    await alert.waitFor();
    await page.getByRole('link', { name: 'Jobs', exact: true }).click();
    await page.locator('.job-row').first().waitFor();
    assert.is(await alert.count(), 0);

    await page.route('**/*', (route) =>
      route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Busy</h1>' }),
    );
    await page.getByRole('link', { name: 'Guardrails' }).click();
    await page.getByText('No connection to the runner since').waitFor();
    await page.unrouteAll();
    await page.locator('.guardrail-row').first().waitFor();
    // The browser logs the answers that were made up.
    stage.problems.length = 0;
    await closePage(page);
  });

  long('the editor of a workflow that could not be loaded loads as well', async () => {
    const page = await stage.page('#/jobs');
    await page.route('**/textEditor*', (route) => route.abort());
    await page.getByRole('link', { name: 'Workflows' }).click();
    await page.getByRole('link', { name: 'counter' }).first().click();
    const alert = page.getByRole('alert');
    await alert.getByText('Part of this page could not be loaded from the runner.').waitFor();
    await page.unroute('**/textEditor*');
    // It may be loaded by itself before the button is reached.
    const clicked = alert
      .getByRole('button', { name: 'Try again' })
      .click()
      .catch(() => {});
    const editor = page.locator('.cm-content').waitFor();
    await Promise.race([clicked, editor]);
    await editor;
    assert.is(await alert.count(), 0);
    assert.equal(stage.problems, []);
    await closePage(page);
  });
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('a restart under an open page'));
  });
}

test.run();
