import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import {
  blanks,
  findOpened,
  refuseAnswer,
  row,
  slowDown,
  title,
  watchList,
} from '../support/browser/inboxPage.ts';

const test = suite('browser: the inbox stays on the screen');

const PLANS = `
tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# In one step\\n\\n## First\\n\\nAll.' });
`;
const ESCALATES = `tool('escalate', { message: 'There is nothing to fix.' });`;

/** Items that are answered without a reload. */
const ANSWERS = 50;

const plan = (page: Page) => findOpened(page).getByRole('heading', { name: 'In one step' });

if (hasBrowser('the inbox in Chromium')) {
  const stage = await DashboardStage.open({
    plans: PLANS,
    escalates: ESCALATES,
  });
  test.after(() => stage.close());
  const startWaitingJob = async (workflow: string, name: string) => {
    const id = await stage.job(workflow, name);
    await stage.until(id, ({ needs }) => needs !== null);
    return id;
  };

  test('the list is the same element through j, k, a click, an answer that is refused and one that is taken (UI-1)', async () => {
    const ids = [];
    for (const name of ['First plan', 'Second plan', 'Third plan'])
      ids.push(await startWaitingJob('plans', name));
    const page = await stage.page(`#/inbox/${ids[0]}`);
    await slowDown(page);
    await plan(page).waitFor();
    // The next two items are read before anyone asks for them.
    for (const id of ids.slice(1))
      await page.waitForFunction(
        (path) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(path)),
        `/jobs/${id}`,
      );
    await watchList(page);

    await page.keyboard.press('j');
    await title(page).getByText('Second plan').waitFor();
    await plan(page).waitFor();
    await page.keyboard.press('k');
    await title(page).getByText('First plan').waitFor();
    await row(page, 'Third plan').click();
    // Under the pointer a row that is done would keep its place.
    await page.mouse.move(1_000, 600);
    await title(page).getByText('Third plan').waitFor();
    await plan(page).waitFor();

    // The answer is on its way: the row is grey before it is known what came of it.
    const refusal = await refuseAnswer(page);
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: 'Approve phase work?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.inbox-row.answered', { hasText: 'Third plan' }).waitFor();
    refusal.allow();
    await page.locator('.toast.error').waitFor();
    await page.locator('.inbox-row:not(.answered)', { hasText: 'Third plan' }).waitFor();
    await refusal.end();
    // The browser logs the answer that was made up.
    stage.problems.length = 0;

    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: 'Approve phase work?' }).waitFor();
    await page.keyboard.press('Enter');
    await row(page, 'Third plan').waitFor({ state: 'detached' });
    await title(page).getByText('Second plan').waitFor();
    assert.equal(await blanks(page), []);
    assert.equal(stage.problems, []);
    for (const id of ids) await stage.client.cancel(id).catch(() => undefined);
    await closePage(page);
  });

  test('the next item opens also where the list loses an answered one before the reply to the answer arrives (UI-1)', async () => {
    stage.problems.length = 0;
    const first = await startWaitingJob('plans', 'Plan of the first');
    const second = await startWaitingJob('plans', 'Plan of the second');
    const third = await startWaitingJob('plans', 'Plan of the third');
    const page = await stage.page(`#/inbox/${second}`);
    await row(page, 'Plan of the second').waitFor();
    await plan(page).waitFor();
    await page.route('**/resume', async (route) => {
      const reply = await route.fetch();
      await row(page, 'Plan of the second').waitFor({ state: 'detached' });
      await route.fulfill({ response: reply });
    });
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: 'Approve phase work?' }).waitFor();
    await page.keyboard.press('Enter');
    await title(page).getByText('Plan of the third').waitFor();
    assert.equal(stage.problems, []);
    await stage.client.cancel(first);
    await stage.client.cancel(third);
    await closePage(page);
  });

  test('x dismisses what is broken and z brings it back; titles cannot turn their direction, and a long one is cut (UI-1)', async () => {
    stage.problems.length = 0;
    const otherJob = await startWaitingJob('plans', 'Another plan');
    const id = await stage.job('escalates', `Make it \u202Elive\u202C ${'again and '.repeat(70)}`);
    await stage.until(id, ({ ended }) => ended);
    const page = await stage.page(`#/inbox/${id}`);
    await findOpened(page).getByText('There is nothing to fix.').waitFor();
    assert.match((await title(page).textContent()) ?? '', /^Make it \[U\+202E\]live\[U\+202C\]/);
    const lines = await title(page).evaluate(
      (heading) => heading.clientHeight / Number.parseFloat(getComputedStyle(heading).lineHeight),
    );
    assert.is(Math.round(lines), 2);
    const another = title(page).filter({ hasNotText: 'Make it' });
    await page.keyboard.press('x');
    await row(page, 'Make it').waitFor({ state: 'detached' });
    await another.waitFor();
    assert.is((await stage.client.job(id)).needs, null);
    await page.keyboard.press('z');
    await row(page, 'Make it').waitFor();
    assert.is((await stage.client.job(id)).needs?.ask, 'escalated');
    // What is open stays open until the person moves on.
    await page.keyboard.press('j');
    await title(page).getByText('Make it').waitFor();
    await page.keyboard.press('k');
    await another.waitFor();
    await stage.client.dismiss(id);
    await stage.client.cancel(otherJob);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('50 answers in a row leave the list the element that it was (UI-1)', async () => {
    stage.problems.length = 0;
    for (let n = 0; n < ANSWERS; n += 1) await stage.job('escalates', `Hopeless ${n}.`);
    const page = await stage.page('#/inbox');
    await page
      .locator('.inbox-row')
      .nth(ANSWERS - 1)
      .waitFor();
    await page.locator('.inbox-row').first().click();
    await page.mouse.move(900, 600);
    await findOpened(page).getByText('There is nothing to fix.').waitFor();
    await watchList(page);
    for (let remaining = ANSWERS; remaining > 1; remaining -= 1) {
      await page.keyboard.press('x');
      await page.waitForFunction(
        (most) => document.querySelectorAll('.inbox-row').length < most,
        remaining,
      );
      await findOpened(page).getByText('There is nothing to fix.').waitFor();
    }
    assert.equal(await blanks(page), []);
    assert.equal(stage.problems, []);
    await closePage(page);
  });
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('the inbox in Chromium'));
  });
}

test.run();
