import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { NOTED } from '../support/browser/notedNotifications.ts';
import { axeFaults } from '../support/browser/pageChecks.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: around the pages');
const long = longLane(test);

const PLANS = `tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# A plan' });`;
const WORKS = 'await new Promise(() => setInterval(() => {}, 1000));';

if (hasBrowser('the shell in Chromium')) {
  const stage = await DashboardStage.open({ plans: PLANS, works: WORKS });
  test.after(() => stage.close());
  await stage.job('works', 'Move the price list');
  await stage.job('works', 'Fix the search');

  test('on a phone the bar leads to what is wanted most, and More to every page and Stop all (UI-1)', async () => {
    const page = await stage.page('#/jobs', { viewport: { width: 390, height: 844 } });
    const bar = page.getByRole('navigation', { name: 'Main' });
    await bar.waitFor();
    const words = bar.locator('li > * > span:not(.visually-hidden)');
    assert.equal(await words.allTextContents(), ['Needs you', 'Jobs', 'Report', 'New', 'More']);
    const more = bar.getByRole('button', { name: 'More' });
    await more.click();
    const sheet = page.getByRole('dialog', { name: 'More' });
    await sheet.waitFor();
    const pages = sheet.getByRole('navigation', { name: 'All pages' });
    assert.is(await pages.getByRole('link').count(), 19);
    assert.ok(await sheet.evaluate((dialog) => dialog.contains(document.activeElement)));
    assert.equal(await axeFaults(page), []);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    assert.ok(await more.evaluate((button) => button === document.activeElement));
    await more.click();
    await pages.getByRole('link', { name: 'Budgets' }).click();
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Budgets', level: 1 }).waitFor();
    await more.click();
    await sheet.getByRole('button', { name: 'Stop all jobs' }).click();
    await page.getByRole('dialog', { name: 'Stop all jobs' }).waitFor();
    assert.is(await sheet.count(), 0);
    await closePage(page);
  });

  long('a filter is typed, saved under a name, and found again in the sidebar (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    await page.locator('.job-row').nth(1).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('price', { delay: 20 });
    await page.getByText('1 job', { exact: true }).waitFor();
    assert.is(await page.locator('[data-search]').inputValue(), 'price');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByLabel('Name of the view').fill('Prices');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('2 jobs', { exact: true }).waitFor();
    await page.reload();
    await page
      .getByRole('navigation', { name: 'Saved views' })
      .getByRole('link', { name: 'Prices' })
      .click();
    await page.getByText('1 job', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Forget “Prices”' }).click();
    await page.getByRole('navigation', { name: 'Saved views' }).waitFor({ state: 'detached' });
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('of 20,000 jobs only the rows in view exist; the wheel uses them again and reads pages, and the end is one jump away (UI-1)', async () => {
    const page = await stage.page('#/workflows');
    const [job] = (await stage.client.jobs({ limit: 1 })).jobs;
    const counts = await stage.client.jobCounts();
    const queries: string[] = [];
    await page.route(/\/jobs(\/counts)?(\?.*)?$/, async (route) => {
      const { pathname, searchParams } = new URL(route.request().url());
      if (pathname.endsWith('/counts'))
        return route.fulfill({ json: { ...counts, total: 20_000 } });
      queries.push(searchParams.toString());
      const offset = Number(searchParams.get('offset') ?? 0);
      const rows = Array.from({ length: Number(searchParams.get('limit')) }, (_, n) => ({
        ...job,
        id: `job-${offset + n + 1}`,
        description: `Job number ${offset + n + 1}`,
      }));
      return route.fulfill({ json: rows, headers: { 'X-Total-Count': '20000' } });
    });
    await page.goto(`${stage.runner.url}/dashboard/#/jobs`);
    await page.getByText('Job number 1', { exact: true }).waitFor();
    const elements = () => page.locator('.job-rows *').count();
    const rows = await page.locator('.job-row').count();
    const before = await elements();
    queries.length = 0;
    await page.locator('.job-rows').hover();
    for (let step = 0; step < 200; step++) await page.mouse.wheel(0, 100);
    await page
      .getByText(/^Job number 50[01]$/)
      .first()
      .waitFor();
    assert.ok(rows < 60, `${rows} rows`);
    assert.is(await page.locator('.job-row').count(), rows);
    assert.is(await elements(), before);
    assert.ok(queries.length <= 20, queries.join('\n'));
    await page.locator('.job-rows').press('End');
    await page.getByText('Job number 20000', { exact: true }).waitFor();
    await page.getByText(/–20,000 of 20,000/).waitFor();
    await page.waitForURL(/at=19/);
    await closePage(page);
  });

  test('jobs are selected with keys, cancelled together after the facts, and each result is shown (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    await page.locator('.job-row').nth(1).waitFor();
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    await page.route('**/jobs/*/cancel', async (route) =>
      route.request().url().includes('never') ? route.abort() : route.fulfill({ json: {} }),
    );
    await page.getByRole('button', { name: /^Cancel 2/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 are running: their agents are stopped.').waitFor();
    await dialog.getByText('Fix the search').waitFor();
    await dialog.getByRole('button', { name: 'Cancel 2 jobs' }).click();
    await page.getByText('2 jobs cancelled.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    assert.is(download.suggestedFilename(), 'jobs.csv');
    await closePage(page);
  });

  test('keys lead from page to page, and the focus with them; the palette finds a job by its words (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    await page.locator('.job-row').first().waitFor();
    for (const [keys, heading] of [
      ['gi', 'Needs you'],
      ['gb', 'Board'],
      ['gm', 'System charts'],
      ['gw', 'Workflows'],
      ['c', 'New job'],
      ['gj', 'Jobs'],
    ] as const) {
      for (const key of keys) await page.keyboard.press(key);
      await page.getByRole('main').getByRole('heading', { level: 1, name: heading }).waitFor();
      assert.is(await page.evaluate(() => document.activeElement?.id), 'main', heading);
    }
    await page.keyboard.press('Control+k');
    await page.keyboard.type('fix sea');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Fix the search' }).waitFor();
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long(
    'a user who opted in is notified by the browser of what needs a person, and only while looking elsewhere (UI-1)',
    async () => {
      const page = await stage.page('#/jobs');
      await page.addInitScript(NOTED);
      await page.reload();
      await page.locator('.job-row').first().waitFor();
      await page.keyboard.press('?');
      await page.getByLabel('Notify me when a job needs me').check();
      await page.keyboard.press('Escape');
      await stage.job('plans', 'Seen at once');
      await page.waitForFunction(() => document.title.startsWith('(1)'));
      await page.evaluate(() => Object.assign(window, { isAway: true }));
      await stage.job('plans', 'Look here');
      await page.waitForFunction(() => document.title.startsWith('(2)'));
      const noted = await page.evaluate<string[]>('window.noted');
      assert.is(noted.length, 1, noted.join());
      assert.match(noted[0] ?? '', /^Approval: Look here \/ /);
      await closePage(page);
    },
  );

  long('going from an empty form to that of an earlier job fills it in (UI-1)', async () => {
    const [job] = (await stage.client.jobs({ limit: 1 })).jobs;
    assert.ok(job);
    const page = await stage.page('#/new');
    await page.getByLabel('Description').fill('Something else');
    await page.evaluate((id) => {
      location.hash = `#/new?from=${id}`;
    }, job.id);
    await page.getByRole('heading', { name: 'Run again with changes' }).waitFor();
    await page.waitForFunction(
      (text) => document.querySelector('textarea')?.value === text,
      job.description,
    );
    assert.is(await page.getByLabel('Workflow').inputValue(), job.workflowPath);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long(
    'a form that is half filled in survives a reload and Back; it asks with the facts, offers what the runner knows, and says how to get a forge (UI-1)',
    async () => {
      await stage.job('plans', 'Reviewed by Ada', { reviewers: ['ada'] });
      const page = await stage.page('#/new');
      await page.getByLabel('Workflow').selectOption({ label: 'plans' });
      await page.locator('.suggested').getByRole('button', { name: 'ada' }).click();
      assert.is(await page.getByLabel('Reviewers').inputValue(), 'ada');
      await page.getByLabel('Description').fill('Half a sentence');
      await page.getByLabel('Checkpoint after work').check();
      await page.reload();
      await page.waitForFunction(
        () => document.querySelector('textarea')?.value === 'Half a sentence',
      );
      await page.keyboard.press('g');
      await page.keyboard.press('j');
      await page.locator('.job-row').first().waitFor();
      await page.goBack();
      assert.is(await page.getByLabel('Description').inputValue(), 'Half a sentence');
      assert.is(await page.getByLabel('Checkpoint after work').isChecked(), true);
      await page.getByLabel('Interactive').uncheck();
      await page.getByText('No one follows this job.').waitFor();
      await page.getByRole('button', { name: 'Dispatch' }).click();
      const facts = page.getByRole('dialog', { name: 'Dispatch this job?' });
      assert.match((await facts.textContent()) ?? '', /Half a sentence.*titles.*at no checkpoint/);
      await facts.getByRole('button', { name: 'Dispatch' }).click();
      // The runner does what the form said: the checkpoint is passed without asking.
      await page.getByRole('heading', { level: 1, name: 'Half a sentence' }).waitFor();
      const id = /jobs\/([^/]+)/.exec(page.url())?.[1] ?? '';
      const { phases, params } = await stage.until(id, ({ phases: all }) => all.length === 2);
      assert.is(phases[0]?.approvedBy, 'autoApprove');
      assert.equal(params['autoApprove'], ['work']);

      await page.route('**/forges', (route) => route.fulfill({ json: [] }));
      await page.route('**/forges/local/repos', (route) => route.fulfill({ json: [] }));
      await page.goto(`${stage.runner.url}/dashboard/#/new`);
      await page.getByText('svc config set forges.local.repos.shop').waitFor();
      assert.is(await page.getByLabel('Description').inputValue(), '');
      assert.equal(stage.problems, []);
      await closePage(page);
    },
  );

  long(
    'coach mode: a team that has run enough jobs is asked once; the form proposes its answer (JOB-15)',
    async () => {
      const open = (hash: string) => stage.page(hash);
      const { etag } = await stage.client.config();
      await stage.client.updateConfig({ coachMode: { graduateAfterRuns: 1 } }, etag);
      const page = await open('#/new');
      assert.is(await page.getByLabel('Interactive').isChecked(), true);
      // It is asked although the runner did not answer at first.
      await page.route(
        '**/config',
        (route) => route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>Busy</h1>' }),
        { times: 1 },
      );
      await page.goto(`${stage.runner.url}/dashboard/#/jobs`);
      await page.getByRole('button', { name: 'End coach mode' }).click();
      // The browser logs the answer that was made up.
      stage.problems.length = 0;
      await page.locator('.graduation').waitFor({ state: 'detached' });
      const coachMode = Object((await stage.client.config()).reply.config['coachMode']);
      assert.is(coachMode.enabled, false);
      assert.ok(Date.parse(coachMode.graduatedAt) > 0);
      await page.reload();
      await page.locator('.job-row').first().waitFor();
      assert.is(await page.locator('.graduation').count(), 0);
      await page.goto(`${stage.runner.url}/dashboard/#/new`);
      assert.is(await page.getByLabel('Interactive').isChecked(), false);
      assert.equal(stage.problems, []);
      await closePage(page);
    },
  );
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('the shell in Chromium'));
  });
}

test.run();
