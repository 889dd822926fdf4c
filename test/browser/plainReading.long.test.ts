import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, OTHER_LOOKS, picture } from '../support/browser/pageChecks.ts';
import { OFFERS } from '../support/browser/inboxPage.ts';
import { CAMPAIGN_PROGRAMS, haltedCampaign } from '../support/charts/haltingCampaign.ts';

const test = suite('browser: numbers, names and texts that agree on every page');

/** Two jobs write the same insight, with Markdown in it. */
const LEARNS = `
tool('add_insight', { category: 'testing', text: 'Run \`npm run db:reset\` before the tests.' });
throw new Error('the database is locked');
`;

/** The left edges of the elements, px. */
const readLeftEdges = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((all) => [
      ...new Set(all.map((one) => Math.round(one.getBoundingClientRect().left))),
    ]);

/** Links whose text is the id of a job. */
const listIdLinks = (page: Page) =>
  page
    .locator('main a')
    .evaluateAll((all) =>
      all.map((one) => one.textContent?.trim() ?? '').filter((text) => /-job-\d{10,}/.test(text)),
    );

if (hasBrowser('plain reading in Chromium')) {
  const stage = await DashboardStage.open(
    {
      ...CAMPAIGN_PROGRAMS,
      learns: LEARNS,
      offers: OFFERS,
      plans: "tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# A plan' });",
    },
    { budgets: { day: { usd: 1 } } },
  );
  test.after(() => stage.close());
  const failed: string[] = [];
  for (const title of ['Reset the database', 'Reset it again']) {
    const id = await stage.job('learns', title);
    await stage.until(id, ({ ended }) => ended);
    failed.push(id);
  }
  const halted = await haltedCampaign(stage, 'Orders, and two reminders');
  const offered = await stage.job('offers', 'Offer one file', { reviewers: ['ada'] });
  await stage.until(offered, ({ needs }) => needs?.ask === 'review');
  const asks = await stage.job('plans', 'Ask first');
  await stage.until(asks, ({ approval }) => approval !== null);

  test('Failed finds every failed job, with the same number in list, board, inbox and report (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    await page.locator('.job-row').first().waitFor();
    const tone = page
      .getByRole('link', { name: /^Failed/ })
      .or(page.getByRole('button', { name: /^Failed/ }));
    const inList = await tone.first().textContent();
    await tone.first().click();
    for (const title of ['Reset the database', 'Reset it again'])
      await page.locator('.job-row', { hasText: title }).waitFor();
    const number = Number(/\d+/.exec(inList ?? '')?.[0]);
    assert.is(number, (await stage.client.jobs({ is: 'failed', limit: 1 })).total);
    await page.goto(`${stage.runner.url}/dashboard/#/board`);
    const column = page.getByRole('region', { name: /^Failed/ });
    await column.getByText(String(number), { exact: true }).first().waitFor();
    await page.goto(`${stage.runner.url}/dashboard/#/inbox`);
    await page.getByRole('link', { name: `${number} failed in all` }).waitFor();
    await page.goto(`${stage.runner.url}/dashboard/#/report?since=24h`);
    const figure = page.locator('.figures div', { hasText: 'Failed' }).locator('dd');
    await figure.waitFor();
    assert.match((await figure.textContent()) ?? '', new RegExp(`^${number}\\b.*sub-run`));
    await closePage(page);
  });

  test('kinds and places of the inbox are two columns, whatever their length (UI-1)', async () => {
    const page = await stage.page('#/inbox', { viewport: { width: 1440, height: 900 } });
    await page.locator('.inbox-row').nth(4).waitFor();

    assert.equal((await readLeftEdges(page, '.inbox-row .facts-line b')).length, 1);
    assert.is((await readLeftEdges(page, '.inbox-row .facts-line b + bdi')).length, 1);
    const overlaps = await page.locator('.inbox-row .facts-line').evaluateAll(
      (all) =>
        all.filter((line) => {
          const [kind, place] = [...line.children].map((one) => one.getBoundingClientRect());
          return kind !== undefined && place !== undefined && kind.right > place.left;
        }).length,
    );
    assert.is(overlaps, 0);
    await closePage(page);
  });

  test('jobs are linked by their titles, and no page has a command of the CLI where it has a button (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    for (const [hash, ready] of [
      ['#/board', '.board-card'],
      ['#/insights', '.insight-row'],
      ['#/report?since=24h', '.report-row'],
      ['#/guardrails', '.guardrail-row'],
      ['#/ratings', '#track-record'],
      [`#/inbox/${halted}`, '.inbox-open button'],
      [`#/inbox/${failed[0]}`, '.inbox-open button'],
      [`#/jobs/${halted}`, '.timeline li'],
      [`#/jobs/${offered}/changes`, '.diff-file tr.added'],
    ] as const) {
      await page.goto(`${stage.runner.url}/dashboard/${hash}`);
      await page.locator(ready).first().waitFor();
      assert.equal(await listIdLinks(page), [], hash);
      const text = (await page.locator('main').innerText()).replaceAll(/\s+/g, ' ');
      assert.equal(
        text.match(/\bsvc (?:resume|rerun|budget|campaign|status|jobs)\b.*/),
        null,
        hash,
      );
    }
    await closePage(page);
  });

  test('an insight that several jobs had is shown once, with its Markdown and its jobs (UI-1)', async () => {
    const page = await stage.page('#/insights?category=testing');
    const row = page.locator('.insight-row');
    await row.locator('code', { hasText: 'npm run db:reset' }).waitFor();
    assert.is(await row.count(), 1);
    await row.getByText('2 jobs').click();
    await row.getByRole('link', { name: 'Reset the database' }).waitFor();
    await row.getByRole('link', { name: 'Reset it again' }).waitFor();
    const take = row.getByRole('button', { name: /^Remove the insight/ });
    assert.is(await take.count(), 2);
    await take.first().click();
    await row.getByText('2 jobs').waitFor({ state: 'detached' });
    assert.is(await row.count(), 1);
    await closePage(page);
  });

  test('in a campaign a part is called the same in its row and where another one waits for it (UI-4)', async () => {
    const page = await stage.page(`#/jobs/${halted}/campaign`);
    const side = page.getByRole('complementary', { name: 'Selection' });
    await side.locator('.chart-way', { hasText: 'release' }).waitFor();
    const rows = await side.locator('.chart-way').evaluateAll((all) =>
      all.map((row) => ({
        name: row.querySelector('bdi')?.textContent ?? '',
        status: row.querySelector('.pill')?.textContent ?? '',
        why: row.querySelector('small')?.textContent ?? '',
      })),
    );
    const status = new Map(rows.map((row) => [row.name, row.status]));
    const waits = rows.flatMap(({ why }) => [...why.matchAll(/([\w-]+) \(([^)]+)\)/g)]);
    assert.ok(waits.length >= 2, JSON.stringify(rows));
    for (const [, name = '', says = ''] of waits) assert.is(says, status.get(name), name);
    // What waits for a person is said once, in the head.
    const text = await page.locator('.campaign').innerText();
    assert.is((text.match(/until you rerun, skip or accept/g) ?? []).length, 1);
    assert.is((text.match(/[Ww]aits for a person/g) ?? []).length, 0);
    await closePage(page);
  });

  test('the journal is sentences; the names of the code come with Technical terms (UI-1)', async () => {
    const page = await stage.page(`#/jobs/${offered}/journal`);
    const journal = page.getByRole('region', { name: 'Journal' });
    await journal.locator('.journal-row').first().waitFor();
    const codeNamePattern = /\b[a-z]+\.[a-z]+[._a-z]*\b/i;
    const events = () => journal.locator('.journal-row span.grow').allTextContents();
    assert.equal(
      (await events()).filter((text) => codeNamePattern.test(text)),
      [],
    );
    await page.getByLabel('Technical terms').first().check();
    assert.ok((await events()).some((text) => codeNamePattern.test(text)));
    await page.getByRole('region', { name: 'Technical terms of this step' }).waitFor();
    await closePage(page);
  });

  test('the report names minutes, repository and workflow, and no figure is broken into two lines (UI-1)', async () => {
    for (const width of [1440, 390]) {
      const page = await stage.page('#/report?since=24h', { viewport: { width, height: 900 } });
      const row = page.locator('.report-row', { hasText: 'Reset the database' });
      await row.waitFor();
      const place = await row.locator('.report-place').innerText();
      assert.match(place, /titles\s+workflows\/learns\.md/);
      const times = await page.locator('.report-body > p time').allTextContents();
      assert.is(times.length, 2);
      for (const time of times) assert.match(time, /\d\d:\d\d$/);
      assert.not.match(times.join(), /\d\d:\d\d:\d\d/);
      const heights = await page.locator('.figures dd').evaluateAll((all) =>
        all.map((one) => {
          // Of what it is made is in lines of its own.
          const parts = one.querySelector('small')?.getBoundingClientRect().height ?? 0;
          const height = one.getBoundingClientRect().height - parts;
          return height / Number.parseFloat(getComputedStyle(one).lineHeight);
        }),
      );
      assert.ok(
        heights.every((lines) => lines < 1.7),
        heights.join(),
      );
      // A title takes two lines before a cost leaves the window.
      const costEnds = await page
        .getByRole('region', { name: 'Cost, tokens and calls of each job' })
        .locator('tbody td:first-of-type')
        .evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().right));
      assert.ok(costEnds.length > 0);
      for (const end of costEnds) assert.ok(end <= width, `${end} of ${width}`);
      await closePage(page);
    }
  });

  test('what people did is on a page, by person, action and day, and jobs are named there (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    await page.locator('.job-row').first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('y');
    const rows = page.getByRole('table', { name: 'Entries' }).locator('tbody tr');
    await rows.filter({ hasText: 'createJob' }).first().waitFor();
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Audit' })
      .waitFor();
    await page.getByLabel('Action').fill('removeInsight');
    await page.getByLabel('Action').press('Enter');
    await page.waitForURL('**/#/audit?action=removeInsight');
    await page.waitForFunction(() => document.querySelectorAll('[data-entry]').length === 1);
    const [act] = (await stage.client.audit({ action: 'removeInsight' })).acts;
    assert.is(await rows.getAttribute('data-entry'), String(act?.n));
    await rows.getByRole('link', { name: /^Reset/ }).waitFor();
    await rows.getByText('Dashboard').waitFor();
    await page.getByLabel('Person').fill('no one');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('heading', { name: 'No matching entries' }).waitFor();
    await page.getByRole('link', { name: 'Clear' }).click();
    await rows.nth(1).waitFor();
    for (const { width, colorScheme } of [...LOOKS, ...OTHER_LOOKS]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `audit ${width} ${colorScheme}`);
      await picture(page, `audit-of-runner-${width}-${colorScheme}`);
    }
    await closePage(page);
  });

  test('a new job offers the reviewers of earlier ones, has a repository, and is not under Jobs (UI-1)', async () => {
    const page = await stage.page('#/new');
    const reviewers = page.getByLabel('Reviewers');
    await page.locator('.suggested').getByRole('button', { name: 'ada' }).click();
    assert.is(await reviewers.inputValue(), 'ada');
    assert.is(await page.getByLabel('Repository').inputValue(), 'titles');
    const jobs = page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^Jobs/ })
      .first();
    assert.is(await jobs.getAttribute('aria-current'), null);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('a dialog closes when its command is taken, before the next read of the job (UI-1)', async () => {
    const page = await stage.page(`#/inbox/${asks}`);
    await page.locator('.inbox-open').getByText('A plan').waitFor();
    await page.keyboard.press('a');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    let release: () => void = () => undefined;
    const mayRead = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/jobs\/[^/]+$/, (route) => mayRead.then(() => route.continue()));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    release();
    await stage.until(asks, ({ approval }) => approval === null);
    assert.equal(stage.problems, []);
    await closePage(page);
  });
}

test.run();
