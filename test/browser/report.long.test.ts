import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, OTHER_LOOKS, picture } from '../support/browser/pageChecks.ts';
import { inLongLane, longLane } from '../support/longLane.ts';

const OTHERS = OTHER_LOOKS.filter(
  ({ name }) => inLongLane && (name === '1440-dark' || name === '390-light'),
);

const test = suite('browser: report');
const long = longLane(test);

/** An agent that uses 20 cents at each run. */
const SPENDS = `
writeFileSync(process.env.SVC_SESSION_DIR + '/report.json', JSON.stringify({
  usage: { inputTokens: 200000, outputTokens: 0 }, model: 'large',
}));
`;
const PROGRAMS = {
  spends: SPENDS,
  fails: 'process.exit(3);',
  plans: "tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# In one step' });",
  works: 'console.log("[control] at work"); await new Promise(() => setInterval(() => {}, 1000));',
};
const BUDGETS = {
  job: { usd: 0.2 },
  day: { usd: 1 },
  prices: [{ model: 'large', input: 1, output: 1 }],
};

if (hasBrowser('the report in Chromium')) {
  const stage = await DashboardStage.open(PROGRAMS, { budgets: BUDGETS });
  test.after(() => stage.close());

  test('before anything has happened the report explains why it is empty (UI-1)', async () => {
    const page = await stage.page('#/report');
    await page.getByRole('heading', { name: 'Nothing happened' }).waitFor();
    assert.equal(await axeFaults(page), []);
    await picture(page, 'report-empty');
    await closePage(page);
  });

  test('it shows what needs a person, what failed and finished, and what is spent (UI-1, JOB-16)', async () => {
    const stopped = await stage.job('spends', 'A job that spends all');
    await stage.until(stopped, ({ ended }) => ended);
    await stage.client.rerun(stopped, 'work');
    await stage.until(stopped, ({ parked }) => parked?.kind === 'budget');
    const failed = await stage.job('fails', 'A job that fails');
    await stage.until(failed, ({ ended }) => ended);
    const finished = await stage.job('spends', 'A job that is finished');
    await stage.until(finished, ({ ended }) => ended);
    const asks = await stage.job('plans', 'A job that asks first');
    await stage.until(asks, ({ parked }) => parked?.kind === 'approval');
    const page = await stage.page('#/jobs');
    await page.locator('.job-row').first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    const row = (name: string) => part(name).getByRole('listitem').first();
    await row('Approvals that wait').waitFor();
    const texts = await Promise.all(
      ['Approvals that wait', 'Stopped', 'Failed', 'Finished', 'Budgets'].map((name) =>
        part(name).textContent(),
      ),
    );
    assert.match(texts[0] ?? '', /A job that asks firstApproval of work/);
    assert.match(
      texts[1] ?? '',
      /A job that spends allBudget spent.*\$0\.20 of \$0\.20.*Raise the budget/,
    );
    assert.match(texts[2] ?? '', /A job that failsFailed/);
    assert.match(texts[3] ?? '', /A job that is finishedComplete/);
    assert.match(texts[4] ?? '', /\$0\.40 of \$1\.00 spent/);
    for (const { width, colorScheme } of [...LOOKS, ...OTHERS]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `${width} ${colorScheme}`);
      await picture(page, `report-${width}-${colorScheme}`);
    }
    await row('Approvals that wait').getByRole('link').first().click();
    await page.waitForURL(`**/#/inbox/${asks}`);
    await closePage(page);
  });

  long('its period is chosen by keyboard, and is part of the address (UI-1)', async () => {
    const page = await stage.page('#/report');
    const periods: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/report') periods.push(searchParams.get('since') ?? '');
    });
    await page.getByRole('button', { name: '24 hours' }).press('Enter');
    await page.waitForURL('**/#/report?since=24h');
    await page.getByRole('button', { name: 'Custom date' }).press('Enter');
    const field = page.getByLabel('From');
    await field.fill('2026-01-02T03:04');
    await page.waitForURL(/since=2026-01-02T03%3A04/);
    await page.getByRole('button', { name: 'Custom date', pressed: true }).waitFor();
    await page.waitForFunction(() =>
      document.querySelector('time')?.dateTime.startsWith('2026-01-0'),
    );
    assert.equal(
      [periods.includes('24h'), Date.parse(periods.at(-1) ?? '')],
      [true, Date.parse('2026-01-02T03:04')],
    );
    await picture(page, 'report-own-date');
    await closePage(page);
  });

  test('all jobs are stopped and continue by keyboard, and a stop is asked first (UI-1)', async () => {
    const works = await stage.job('works', 'A job at work');
    await stage.until(works, ({ state }) => state.includes('working.inSession'));
    const page = await stage.page('#/report');
    const dialog = page.getByRole('dialog', { name: 'Stop all jobs' });
    const open = async () => {
      await page.getByRole('heading', { name: 'Report' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('stop all');
      await page.getByRole('option', { name: 'Stop all jobs' }).waitFor();
      await page.keyboard.press('Enter');
      await dialog.getByText('have not ended: 1 at work, 0 queued, 2 waiting').waitFor();
    };
    await open();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    assert.is((await stage.client.job(works)).parked, null);
    await open();
    for (const { width, colorScheme } of [...LOOKS, ...OTHERS]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `${width} ${colorScheme}`);
      await picture(page, `stop-all-${width}-${colorScheme}`);
    }
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await dialog.getByText('select them in the list of jobs').waitFor();
    assert.match(
      (await dialog.getByRole('status').textContent()) ?? '',
      /^[123] jobs? (is|are) paused/,
    );
    assert.equal(await axeFaults(page), []);
    await picture(page, 'stopped-all');
    const paused = await stage.until(works, ({ parked }) => parked !== null);
    assert.is(paused.parked?.cause, 'stop-all');
    await dialog.getByRole('button', { name: 'Resume them' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await stage.until(works, ({ parked }) => parked === null);
    await closePage(page);
  });

  test('a period that is none is refused with what to write (UI-1)', async () => {
    const page = await stage.page('#/report?since=yesterday');
    await page.getByRole('alert').getByText('give a past time').waitFor();
    assert.equal(await axeFaults(page), []);
    await picture(page, 'report-refused');
    await closePage(page);
  });
}

test.run();
