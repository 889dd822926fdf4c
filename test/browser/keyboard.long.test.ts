import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { CAMPAIGN_PROGRAMS, haltedCampaign } from '../support/charts/haltingCampaign.ts';

const test = suite('browser: a day by keyboard alone');

const PLANS = `tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# In one step' });`;
const FAILS = `console.error('reading the registry'); throw new Error('the registry does not answer');`;

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
const title = (page: Page) => page.locator('.inbox-open .open-head h2');

if (hasBrowser('the keyboard in Chromium')) {
  const stage = await DashboardStage.open({ ...CAMPAIGN_PROGRAMS, plans: PLANS, fails: FAILS });
  test.after(() => stage.close());
  const halted = await haltedCampaign(stage, 'Orders, and reminders of them');
  for (const name of ['First plan', 'Second plan'])
    await stage.until(await stage.job('plans', name), ({ parked }) => parked?.kind === 'approval');
  const broken = ['Upgrade one', 'Upgrade two'];
  const failed: string[] = [];
  // In sequence: the inbox has them in the order in which they failed.
  for (const name of broken) {
    const id = await stage.job('fails', name);
    await stage.until(id, ({ ended }) => ended);
    failed.push(id);
  }

  test('after an answer the focus is in the item that opens, not at the top of the page (UI-1)', async () => {
    const page = await stage.page('#/inbox');
    await title(page).getByText('Orders').waitFor();
    await page.keyboard.press('j');
    await title(page).getByText('First plan').waitFor();
    await page.locator('.inbox-open .markdown').getByText('In one step').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await title(page).getByText('Second plan').waitFor();
    const isInside = () =>
      page.evaluate(() => document.activeElement?.closest('.inbox-open') !== null);
    assert.is(await isInside(), true);
    await page.keyboard.press('j');
    await title(page).getByText('Upgrade one').waitFor();
    assert.is(await isInside(), true);
    await closePage(page);
  });

  test('r leads to what runs again what failed: a job, and the sub-run of a campaign (UI-1)', async () => {
    const page = await stage.page(`#/inbox/${failed[0]}`);
    await page.locator('.inbox-open').getByRole('button', { name: 'Resume' }).waitFor();
    await page.keyboard.press('r');
    assert.is(await focused(page), 'Resume');
    await page.goto(`${stage.runner.url}/dashboard/#/inbox/${halted}`);
    await page.locator('.inbox-open').getByRole('button', { name: 'Rerun worker' }).waitFor();
    await page.keyboard.press('r');
    assert.is(await focused(page), 'Rerun worker');
    await closePage(page);
  });

  test('the output of what failed is below its reason, with the first error marked (UI-1)', async () => {
    const page = await stage.page(`#/jobs/${failed[0]}`);
    const ask = page.locator('.ask');
    const says = 'The agent ended with an error: node ended with exit code 1.';
    await ask.getByText(says, { exact: true }).waitFor();
    const error = ask.locator('.last-output li.error bdi');
    assert.match((await error.textContent()) ?? '', /Error: the registry does not answer$/);
    await page.goto(`${stage.runner.url}/dashboard/#/jobs`);
    const row = page.locator('.job-row', { hasText: 'Upgrade one' });
    await row.getByText('Error: the registry does not answer', { exact: true }).waitFor();
    await closePage(page);
  });

  test('from the search to what failed, run again together: no key is typed into the search (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    await page.locator('.job-row').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('Upgrade');
    await page.getByText('2 jobs', { exact: true }).waitFor();
    for (const key of ['Enter', 'X']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    assert.is(await page.getByLabel('Search jobs').inputValue(), 'Upgrade');
    await page.keyboard.press('r');
    assert.is(await focused(page), 'Resume 2 …');
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('dialog', { name: 'Rerun the last phase of 2 jobs?' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('2 jobs run again.').waitFor();
    for (const id of failed)
      await stage.until(id, ({ phases, ended }) => ended && phases.length === 2);
    await closePage(page);
  });

  test('digits open the parts of a job; the help names them (UI-1)', async () => {
    const page = await stage.page(`#/jobs/${failed[0]}`);
    await page.locator('.tabs').waitFor();
    await page.keyboard.press('2');
    await page.waitForURL(`**/#/jobs/${failed[0]}/log`);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Log of this job').waitFor();
    // As Escape does: it closes the dialog, and the page hears of it later.
    const opens = await page.evaluate(() => {
      document.querySelector('dialog')?.close();
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true }));
      return location.hash;
    });
    assert.is(opens, `#/jobs/${failed[0]}`, 'the page has the keys once its dialog is closed');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    assert.equal(stage.problems, []);
    await closePage(page);
  });
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('the keyboard in Chromium'));
  });
}

test.run();
