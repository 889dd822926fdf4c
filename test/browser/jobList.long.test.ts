import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { CAMPAIGN_PROGRAMS, haltedCampaign } from '../support/charts/haltingCampaign.ts';
import { OUTPUT_MS } from '../../ui/jobs/list/jobPages.ts';
import { SETTLED_MS } from '../../ui/jobs/list/filters.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: the list of jobs, its words and what is typed');
const long = longLane(test);

const FAILS = 'process.exit(3);';
/** Files by which the test lets a program continue. */
const signals = mkdtempSync(join(tmpdir(), 'svc-job-list-'));
/** Writes a line, and another one once it may. */
const TALKS = `
import { existsSync } from 'node:fs';
console.log('ok 12 - adds');
while (!existsSync(${JSON.stringify(join(signals, 'next'))})) await new Promise((resolve) => setTimeout(resolve, 50));
console.log('ok 13 - subtracts');
await new Promise(() => setInterval(() => {}, 1000));
`;
const PLANS = "tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# A plan' });";

/** Holds back the reads of jobs that match, until what it returns is called. */
async function holdJobs(
  page: Page,
  matches: (query: URLSearchParams) => boolean,
): Promise<() => void> {
  let release: () => void = () => undefined;
  const mayRead = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    ({ pathname, searchParams }) => pathname === '/jobs' && matches(searchParams),
    (route) => mayRead.then(() => route.continue()),
  );
  return release;
}

const row = (page: Page, title: string) => page.locator('.job-row', { hasText: title });

if (hasBrowser('the list of jobs in Chromium')) {
  const stage = await DashboardStage.open({
    ...CAMPAIGN_PROGRAMS,
    fails: FAILS,
    plans: PLANS,
    talks: TALKS,
  });
  test.after(async () => {
    await stage.close();
    rmSync(signals, { recursive: true });
  });
  const failed = await stage.job('fails', 'Breaks at once');
  await stage.until(failed, ({ ended }) => ended);
  const waits = await stage.job('plans', 'Asks first');
  await stage.until(waits, ({ parked }) => parked?.kind === 'approval');

  test('j and k go through the list, x selects, Enter opens, although the link that led there has the focus; the help lists them (UI-1)', async () => {
    const page = await stage.page('#/new');
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^Jobs/ })
      .click();
    await row(page, 'Asks first').waitFor();
    await page.keyboard.press('j');
    await page.locator('.job-row.current', { hasText: 'Asks first' }).waitFor();
    await page.keyboard.press('j');
    await page.locator('.job-row.current', { hasText: 'Breaks at once' }).waitFor();
    await page.keyboard.press('x');
    assert.is(await page.getByLabel('Select Breaks at once').isChecked(), true);
    await page.keyboard.press('k');
    await page.locator('.job-row.current', { hasText: 'Asks first' }).waitFor();
    await page.keyboard.press('?');
    const help = (await page.getByRole('dialog').textContent()) ?? '';
    for (const says of ['Next job', 'Previous job', 'Select the job', 'Open the job'])
      assert.ok(help.includes(says), says);
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/jobs/${waits}`);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('a group says that it loads until its jobs were read (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    await row(page, 'Asks first').waitFor();
    const release = await holdJobs(page, (query) => query.has('is'));
    await page.evaluate(() => {
      location.hash = '#/jobs?group=state';
    });
    const loading = page.locator('.grouped').getByText(': loading …');
    await loading.first().waitFor();
    release();
    await page.getByRole('region', { name: 'Needs you' }).getByText('Asks first').waitFor();
    await loading.first().waitFor({ state: 'detached' });
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('while the jobs of a filter load, those of the one before are dimmed, counted nowhere and cannot be selected (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    await row(page, 'Breaks at once').waitFor();
    const release = await holdJobs(page, (query) => query.has('q'));
    const list = page.getByRole('table', { name: 'Jobs' });
    const place = page.locator('.filter-bar .shown');
    assert.is(await list.getAttribute('aria-busy'), 'false');
    await page.getByLabel('Search jobs').fill('no job is called so');
    await page.locator('.job-list[aria-busy="true"]').waitFor();
    assert.is((await place.textContent())?.trim(), 'Loading …');
    assert.ok(await page.getByLabel('Select Breaks at once').isDisabled());
    await page.waitForFunction(() => {
      const rows = document.querySelector('.job-rows');
      return rows !== null && Number(getComputedStyle(rows).opacity) < 1;
    });
    release();
    await page.getByRole('heading', { name: 'No jobs match' }).waitFor();
    // Nothing was found before: that is no answer to the next question.
    const releaseNext = await holdJobs(page, (query) => query.get('q') === 'Breaks');
    await page.getByLabel('Search jobs').fill('Breaks');
    await page.getByText('Loading jobs …').waitFor();
    assert.is(await page.getByRole('heading', { name: 'No jobs match' }).count(), 0);
    releaseNext();
    await row(page, 'Breaks at once').waitFor();
    assert.is(await list.getAttribute('aria-busy'), 'false');
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('the row of a job at work has the last line of its output, and soon the one that follows (UI-1)', async () => {
    const id = await stage.job('talks', 'Runs its tests');
    const page = await stage.page('#/jobs');
    await page.clock.install();
    await page.reload();
    const line = row(page, 'Runs its tests').locator('.last-line bdi');
    await line.getByText('ok 12 - adds').waitFor();
    writeFileSync(join(signals, 'next'), '');
    while (!(await stage.client.logText(id)).includes('ok 13')) await stage.client.health();
    await page.clock.fastForward(OUTPUT_MS);
    await line.getByText('ok 13 - subtracts').waitFor();
    await page.goto(`${stage.runner.url}/dashboard/#/board`);
    const last = page.locator('.board-card .last-line', { hasText: 'ok 13' });
    await last.waitFor();
    assert.is(await page.locator('.last-line.silent').count(), 0);
    await page.clock.fastForward('12:00');
    await last.getByText('silent for').waitFor();
    await page
      .locator('.board-card .phase-bar', { hasText: 'phase 1 of 2: work' })
      .first()
      .waitFor();
    await stage.client.cancel(id);
    await closePage(page);
  });

  long('a job opens although the place in the list is kept in the same moment (UI-1)', async () => {
    const page = await stage.page('#/new');
    // As text: what esbuild makes of functions in functions needs a helper that the page lacks.
    await page.evaluate(`
      const timer = window.setTimeout.bind(window);
      window.setTimeout = (run, ms) => {
        if (ms !== ${SETTLED_MS}) return timer(run, ms);
        window.keepPlace = run;
        return 0;
      };
      location.hash = '#/jobs?q=Asks';
    `);
    await row(page, 'Asks first').waitFor();
    await page.keyboard.press('j');
    await page.locator('.job-row.current', { hasText: 'Asks first' }).waitFor();
    const isKept = await page.evaluate(() => {
      const press = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true });
      document.activeElement?.dispatchEvent(press);
      const keepPlace: unknown = Reflect.get(window, 'keepPlace');
      if (typeof keepPlace === 'function') keepPlace();
      return typeof keepPlace === 'function';
    });
    assert.is(isKept, true);
    await page.waitForURL(`**/#/jobs/${waits}`);
    await page.locator('.tabs').waitFor();
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long('j and Enter work on the board and in groups as well (UI-1)', async () => {
    const page = await stage.page('#/board');
    await page.locator('.board-card', { hasText: 'Asks first' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/#/jobs/*');
    await page.goto(`${stage.runner.url}/dashboard/#/jobs?group=state`);
    await row(page, 'Asks first').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    assert.is(await page.getByLabel('Select Asks first').isChecked(), true);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/jobs/${waits}`);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long('states and reasons are plain words; their own names are in the titles (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    await row(page, 'Breaks at once').waitFor();
    const state = (title: string) => row(page, title).locator('.status');
    assert.is((await state('Asks first').textContent())?.trim(), 'Waiting for approval');
    assert.is(
      await state('Asks first').getAttribute('title'),
      (await stage.client.job(waits)).status,
    );
    assert.is((await state('Breaks at once').textContent())?.trim(), 'Failed');
    const reason = row(page, 'Breaks at once').locator('.reason');
    assert.not.match((await reason.textContent()) ?? '', /phase work/);
    assert.match((await reason.getAttribute('title')) ?? '', /^phase work: /);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('what is typed before a command survives a reload and Back: reasons, parameters, names, events (UI-1)', async () => {
    const page = await stage.page(`#/jobs/${waits}`);
    const cancel = async () => {
      const open = page.getByRole('button', { name: 'Cancel the job …' });
      // Of a job that can do more, it is in the menu.
      const menu = page.getByRole('button', { name: 'More actions' });
      await open.or(menu).first().waitFor();
      if (!(await open.isVisible())) await menu.click();
      await open.click();
    };
    await cancel();
    await page.getByLabel('Reason').fill('It is not needed');
    await page.reload();
    await cancel();
    assert.is(await page.getByLabel('Reason').inputValue(), 'It is not needed');
    await page.keyboard.press('Escape');

    const id = await haltedCampaign(stage, 'Orders, and reminders');
    const rerun = async () => {
      await page
        .locator('.graph-svg')
        .getByRole('button', { name: /Sub-run worker, failed/ })
        .click();
      await page.getByRole('button', { name: 'Rerun …' }).click();
    };
    await page.goto(`${stage.runner.url}/dashboard/#/jobs/${id}/campaign`);
    await rerun();
    await page.getByLabel('Reason (for the journal)').fill('The server is known now');
    await page.getByLabel('New parameter').fill('server');
    await page.getByLabel('Its value').fill('mail.example');
    await page.goto(`${stage.runner.url}/dashboard/#/jobs`);
    // The page before stays until this one has loaded.
    await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor();
    await page.goBack();
    await rerun();
    assert.is(
      await page.getByLabel('Reason (for the journal)').inputValue(),
      'The server is known now',
    );
    assert.is(await page.getByLabel('New parameter').inputValue(), 'server');
    assert.is(await page.getByLabel('Its value').inputValue(), 'mail.example');

    await page.goto(`${stage.runner.url}/dashboard/#/jobs?q=first`);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByLabel('Name of the view').fill('Mine');
    await page.reload();
    await page.getByRole('button', { name: 'Save view' }).click();
    assert.is(await page.getByLabel('Name of the view').inputValue(), 'Mine');

    await page.goto(`${stage.runner.url}/dashboard/#/workflows`);
    await page.getByRole('button', { name: 'New workflow' }).click();
    await page.getByLabel('Name', { exact: true }).fill('nightly');
    await page.reload();
    await page.getByRole('button', { name: 'New workflow' }).click();
    assert.is(await page.getByLabel('Name', { exact: true }).inputValue(), 'nightly');
    await page.keyboard.press('Escape');

    await page.goto(`${stage.runner.url}/dashboard/#/jobs/${waits}`);
    const event = async () => {
      await page.getByText('What happens next').click();
      await page.getByLabel('Event', { exact: true }).selectOption('job.cancel');
      await page.getByText('The event as JSON').click();
      return page.getByLabel('Event to try');
    };
    await (await event()).fill('{ "type": "job.cancel", "reason": "why not" }');
    await page.reload();
    assert.match(await (await event()).inputValue(), /why not/);
    assert.equal(stage.problems, []);
    await closePage(page);
  });
  long(
    'while the disk is low the list and the page of a queued job name it, without a reload, until there is room',
    async () => {
      const { bavail, bsize } = statfsSync(stage.dir);
      const limit = async (minFreeDiskMb: number) => {
        const { etag } = await stage.client.config();
        await stage.client.updateConfig({ runner: { minFreeDiskMb } }, etag);
      };
      await limit(Math.ceil((bavail * bsize * 2) / (1024 * 1024)));
      const queued = await stage.job('fails', 'Has no room');
      const list = await stage.page('#/jobs');
      const page = await stage.page(`#/jobs/${queued}`);
      const notice = /^Queued jobs wait: the disk of .* MB free; sessions start by themselves/;
      for (const view of [list, page]) await view.getByText(notice).waitFor();
      await limit(0);
      for (const view of [list, page]) await view.getByText(notice).waitFor({ state: 'detached' });
      await stage.until(queued, ({ ended }) => ended);
      assert.equal(stage.problems, []);
      for (const view of [list, page]) await closePage(view);
    },
  );
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('the list of jobs in Chromium'));
  });
}

test.run();
