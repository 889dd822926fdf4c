import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Page } from 'playwright-core';
import { closePage } from '../support/browser/closePage.ts';
import type { Pool } from '../../src/contract/schema/policy/pool.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { NOTED } from '../support/browser/notedNotifications.ts';
import { axeFaults, LOOKS, OTHER_LOOKS, picture } from '../support/browser/pageChecks.ts';
import { inLongLane, longLane } from '../support/longLane.ts';

const OTHERS = OTHER_LOOKS.filter(
  ({ name }) => inLongLane && (name === '1440-dark' || name === '390-light'),
);

const test = suite('browser: budgets');
const long = longLane(test);

/** An agent that uses 20 cents at each run. */
const SPENDS = `
writeFileSync(process.env.SVC_SESSION_DIR + '/report.json', JSON.stringify({
  usage: { inputTokens: 200000, outputTokens: 0 }, model: 'large',
}));
`;

/** An agent whose model is at a limit for two hours. */
const MEETS_A_LIMIT = `
writeFileSync(process.env.SVC_SESSION_DIR + '/report.json', JSON.stringify({
  quota: { kind: 'exhausted', window: '5 hours', resetsAt: Math.floor(Date.now() / 1000) + 7200 },
}));
process.exit(1);
`;

const pool = (origin: string, more: Partial<Pool>): Pool => ({
  id: `pool:anthropic:${origin}:0123456789ab`,
  kind: 'anthropic',
  origin,
  account: '0123456789ab',
  state: 'open',
  limit: null,
  used: null,
  waiting: 0,
  ...more,
});

/** Accounts as the runner would report them. */
const POOLS: readonly Pool[] = [
  pool('https://one.example', { used: 0.42 }),
  pool('https://two.example', {
    state: 'exhausted',
    limit: {
      kind: 'exhausted',
      window: '5 hours',
      since: new Date().toISOString(),
      until: new Date(Date.now() + 7_200_000).toISOString(),
    },
    used: 1,
    waiting: 3,
  }),
  pool('https://three.example', {
    state: 'billing',
    limit: { kind: 'billing', window: null, since: new Date().toISOString(), until: null },
    waiting: 1,
  }),
];

/** Shows the page accounts that the runner does not have. */
const withPools = async (page: Page, pools: readonly Pool[]): Promise<void> => {
  await page.route('**/accounts', (route) => route.fulfill({ json: pools }));
  await page.reload();
};

const BUDGETS = {
  job: { usd: 0.2 },
  day: { usd: 1 },
  prices: [{ model: 'large', input: 1, output: 1 }],
};

if (hasBrowser('budgets in Chromium')) {
  const stage = await DashboardStage.open(
    { spends: SPENDS, limited: MEETS_A_LIMIT },
    { budgets: BUDGETS },
  );
  test.after(() => stage.close());
  const stopped = await stage.job('spends', 'A job that spends all');
  await stage.until(stopped, ({ ended }) => ended);
  await stage.client.rerun(stopped, 'work');
  await stage.until(stopped, ({ parked }) => parked?.kind === 'budget');

  test('a job that a budget has stopped needs a person, who raises it with the keyboard (UI-1, JOB-16)', async () => {
    const page = await stage.page(`#/inbox/${stopped}`);
    const open = page.getByRole('region', { name: 'Open item' });
    const field = open.getByLabel('Raise the budget by');
    await field.waitFor();
    assert.match(
      (await open.textContent()) ?? '',
      /The budget of this job is spent\$0\.20 of \$0\.20, set in the configuration/,
    );
    assert.is(await field.inputValue(), '1');
    const row = page.getByRole('navigation', { name: 'Waiting for you' }).getByRole('link');
    assert.match((await row.textContent()) ?? '', /Budget spent/);
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `${width} ${colorScheme}`);
      await picture(page, `budget-asked-${width}-${colorScheme}`);
    }
    await page.keyboard.press('r');
    await page.keyboard.type('nothing');
    await page.keyboard.press('Enter');
    await open.getByText('Write a number above 0').waitFor();
    await picture(page, 'budget-asked-wrong');
    await field.fill('0.01');
    await page.keyboard.press('Enter');
    await open.getByRole('alert').waitFor();
    await picture(page, 'budget-asked-refused');
    await field.fill('2');
    await page.keyboard.press('Enter');
    await page.getByText('Raised by $2.00.').waitFor();
    await closePage(page);
  });

  test('the page of budgets shows what is spent of each, marks 80 %, and raises it (UI-1, JOB-16)', async () => {
    await stage.until(stopped, ({ ended }) => ended);
    const page = await stage.page('#/budgets');
    const region = page.getByRole('region', { name: 'Runner budgets' });
    const day = region.getByRole('listitem').filter({ hasText: 'Today' });
    await day.waitFor();
    assert.match((await day.textContent()) ?? '', /40 %\$0\.40 of \$1\.00 spent/);
    const setCap = page.getByRole('region', { name: 'Set a limit' });
    await setCap.getByRole('combobox', { name: /^Scope/ }).selectOption('runner');
    await setCap.getByLabel('Limit').fill('0.5');
    await page.keyboard.press('Enter');
    const ever = region.getByRole('listitem').filter({ hasText: 'This runner' });
    await ever.waitFor();
    assert.match((await ever.textContent()) ?? '', /Nearly spent80 %\$0\.40 of \$0\.50 spent/);
    await withPools(page, POOLS);
    await ever.locator('summary').click();
    const accounts = page.getByRole('region', { name: 'Model accounts' });
    await accounts.getByText('Unpaid').waitFor();
    for (const { width, colorScheme } of [...LOOKS, ...OTHERS]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `${width} ${colorScheme}`);
      await picture(page, `budgets-${width}-${colorScheme}`);
    }
    await ever.getByLabel('Raise the budget of this runner by').fill('0.5');
    await page.keyboard.press('Enter');
    await ever.getByText('$0.40 of $1.00 spent').waitFor();
    await closePage(page);
  });

  long(
    'a job at the limit of its model counts down; its account is in the sidebar, and can be tried (UI-1, JOB-16)',
    async () => {
      const id = await stage.job('limited', 'A job at a limit');
      await stage.until(id, ({ parked }) => parked?.kind === 'quota');
      const page = await stage.page(`#/jobs/${id}`);
      const requests: string[] = [];
      await page.route('**/accounts/retry', (route) => {
        requests.push(String(route.request().postData()));
        return route.fulfill({ json: POOLS[2] });
      });
      await withPools(page, POOLS);
      const timer = page.getByRole('region', { name: 'Limit of the model' }).getByRole('timer');
      await timer.waitFor();
      const first = (await timer.textContent()) ?? '';
      assert.match(first, /^(2 h|1 h 59 min) \(/);
      const note = page.getByRole('region', { name: 'Accounts at a limit' });
      assert.match((await note.textContent()) ?? '', /three\.example.*Unpaid.*two\.example/);
      await note.getByRole('button', { name: 'Try now: three.example (012345)' }).click();
      await page.getByText('three.example (012345) is tried again.').waitFor();
      assert.equal(requests, [JSON.stringify({ pool: POOLS[2]?.id })]);
      for (const { width, colorScheme } of [...LOOKS, ...OTHERS]) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        assert.equal(await axeFaults(page), [], `${width} ${colorScheme}`);
        await picture(page, `quota-${width}-${colorScheme}`);
      }
      await closePage(page);
    },
  );

  long(
    'who has asked for notifications hears of a budget that stops a job, and of one that is nearly spent (UI-1, JOB-16)',
    async () => {
      const page = await stage.page('#/jobs');
      await page.addInitScript(NOTED);
      await page.reload();
      await page.locator('.job-row').first().waitFor();
      await page.keyboard.press('?');
      await page.getByLabel('Notify me when a job needs me').check();
      await page.keyboard.press('Escape');
      await page.evaluate(() => Object.assign(window, { isAway: true }));
      const near = { scope: 'runner', key: '', window: '', metric: 'usd', job: stopped };
      const warning = {
        ...near,
        at: new Date().toISOString(),
        text: 'this runner: $0.81 of $1.00',
      };
      await page.route('**/budgets', (route) =>
        route.fulfill({ json: { budgets: [], warnings: [warning] } }),
      );
      const id = await stage.job('spends', 'Spends all of its own');
      await stage.until(id, ({ ended }) => ended);
      await stage.client.rerun(id, 'work');
      await page.waitForFunction(
        () => 'noted' in window && String(window.noted).split(' / ').length > 2,
      );
      const noted = (await page.evaluate<string[]>('window.noted')).sort();
      assert.equal(
        noted.map((text) => text.split(' / ')[0]),
        ['A budget is nearly spent', 'Budget spent: Spends all of its own'],
      );
      await closePage(page);
    },
  );

  long(
    'before a job is dispatched its estimate is shown, and the form stays behind it (UI-1, JOB-16)',
    async () => {
      const page = await stage.page('#/new');
      await page.getByLabel('Workflow').selectOption({ label: 'spends' });
      await page.getByLabel('Description').fill('What may this use?');
      await page.getByRole('button', { name: 'Dispatch' }).click();
      const estimate = page.getByRole('region', { name: 'Estimate' });
      await estimate.getByRole('listitem').first().waitFor();
      assert.match((await estimate.textContent()) ?? '', /\$0\.20/);
      assert.equal(await axeFaults(page), []);
      await picture(page, 'estimate-1440-light');
      await page.setViewportSize({ width: 390, height: 844 });
      assert.equal(await axeFaults(page), []);
      await picture(page, 'estimate-390-light');
      await closePage(page);
    },
  );

  test('no page made an error', () => {
    // A raise that is too small is refused on purpose.
    assert.equal(
      stage.problems.filter((problem) => !/status of 409/.test(problem)),
      [],
    );
  });
}

test.run();
