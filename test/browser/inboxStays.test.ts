import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: the inbox stays on the screen');
const long = longLane(test);

const PLANS = `
tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# In one step\\n\\n## First\\n\\nAll.' });
`;
const ESCALATES = `tool('escalate', { message: 'There is nothing to fix.' });`;
/** Opens a pull request of one file, and waits for what comes of it. */
const OFFERS = `
const branch = 'change-' + process.pid;
git('switch', '--quiet', '-c', branch);
writeFileSync('offered-' + process.pid + '.txt', 'one\\ntwo\\n');
git('add', '--all'); git('commit', '--quiet', '-m', 'offer');
const pr = tool('local_create_pr', { head: branch, title: 'Offer a file', body: '' });
tool('await_event', { prId: pr.prId });
`;

/** How late each answer about a job comes, ms: what blanks while it is read is then seen. */
const LATE_MS = 250;
/** Items that are answered without a reload. */
const ANSWERS = 50;

const row = (page: Page, title: string) => page.locator('.inbox-row', { hasText: title });
const opened = (page: Page) => page.locator('.inbox-open');
const plan = (page: Page) => opened(page).getByRole('heading', { name: 'In one step' });
const title = (page: Page) => opened(page).locator('.open-head h2');

/** Reading a job takes its time, as on a line that is slow. */
const slowDown = (page: Page) =>
  page.route(/\/jobs\/[^/]+(\/why)?$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS));
    await route.continue();
  });

/** Notes each time at which the page is without the list that it has now. */
const watchList = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector('main');
    const list = document.querySelector('.inbox-list');
    const blanks: string[] = [];
    Object.assign(window, { blanks });
    if (main === null || list === null) throw new Error('no list to watch');
    new MutationObserver(() => {
      if (!main.contains(list)) blanks.push(main.textContent?.slice(0, 40) ?? '');
    }).observe(main, { childList: true, subtree: true });
  });
const blanks = (page: Page) =>
  page.evaluate(() => (Object.getOwnPropertyDescriptor(window, 'blanks')?.value ?? []) as string[]);

if (hasBrowser('the inbox in Chromium')) {
  const stage = await DashboardStage.open({
    plans: PLANS,
    escalates: ESCALATES,
    offers: OFFERS,
  });
  test.after(() => stage.close());
  const waiting = async (workflow: string, name: string) => {
    const id = await stage.job(workflow, name);
    await stage.until(id, ({ needs }) => needs !== null);
    return id;
  };

  test('the list is the same element through j, k, a click, an answer that is refused and one that is taken (UI-1)', async () => {
    const ids = [];
    for (const name of ['First plan', 'Second plan', 'Third plan'])
      ids.push(await waiting('plans', name));
    const page = await stage.page(`#/inbox/${ids[0]}`);
    await slowDown(page);
    await plan(page).waitFor();
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
    let refuse: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await page.route('**/resume', async (route) => {
      await asked;
      await route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          title: 'Conflict',
          status: 409,
          detail: 'Not now.',
          code: 'conflict',
        }),
      });
    });
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: 'Approve phase work?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.inbox-row.answered', { hasText: 'Third plan' }).waitFor();
    refuse();
    await page.locator('.toast.error').waitFor();
    await page.locator('.inbox-row:not(.answered)', { hasText: 'Third plan' }).waitFor();
    await page.unroute('**/resume');
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
    await page.context().close();
  });

  test('a pull request that waits for a person is in the group Review with size and checks, and is merged there (UI-1, JOB-9)', async () => {
    const id = await waiting('offers', 'Offer one file');
    const { needs } = await stage.client.job(id);
    assert.is(needs?.group, 'review');
    assert.is((await stage.client.jobCounts()).needs.review, 1);
    const page = await stage.page('#/inbox');
    const group = page.getByRole('region', { name: 'Review', exact: true });
    await group.locator('.inbox-row', { hasText: 'Offer one file' }).waitFor();
    await group.locator('.review-fact', { hasText: '1 file +2 −0' }).waitFor();
    assert.match((await row(page, 'Offer one file').textContent()) ?? '', /titles#\d+.*no checks/);
    assert.is(await page.title(), '(1) Needs you · svc');
    await opened(page).locator('.diff-file tr.added').first().waitFor();
    await opened(page).getByRole('button', { name: 'Merge …', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    assert.equal(stage.problems, []);
    await page.context().close();
  });

  long('50 answers in a row leave the list the element that it was (UI-1)', async () => {
    stage.problems.length = 0;
    for (let n = 0; n < ANSWERS; n += 1) await stage.job('escalates', `Hopeless ${n}.`);
    const page = await stage.page('#/inbox');
    await page
      .locator('.inbox-row')
      .nth(ANSWERS - 1)
      .waitFor();
    await page.locator('.inbox-row').first().click();
    await page.mouse.move(900, 600);
    await opened(page).getByText('There is nothing to fix.').waitFor();
    await watchList(page);
    for (let left = ANSWERS; left > 1; left -= 1) {
      await page.keyboard.press('x');
      await page.waitForFunction(
        (most) => document.querySelectorAll('.inbox-row').length < most,
        left,
      );
      await opened(page).getByText('There is nothing to fix.').waitFor();
    }
    assert.equal(await blanks(page), []);
    assert.equal(stage.problems, []);
    await page.context().close();
  });
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('the inbox in Chromium'));
  });
}

test.run();
