import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: costs');
const long = longLane(test);

/** Agents that say what they have used, and with which model. */
const agent = (model: string, inputTokens: number) => `
writeFileSync(process.env.SVC_SESSION_DIR + '/report.json', JSON.stringify({
  usage: { inputTokens: ${inputTokens}, outputTokens: 1000 }, model: '${model}',
}));
`;

const PROGRAMS = {
  priced: agent('large', 200_000),
  free: agent('gift', 1_000),
  unpriced: agent('tomorrow', 5_000),
  silent: '',
};
const PRICES = [
  { model: 'large', input: 3, output: 15 },
  { model: 'gift', input: 0, output: 0 },
];

if (hasBrowser('costs in Chromium')) {
  const stage = await DashboardStage.open(PROGRAMS, {
    budgets: { prices: PRICES, day: { usd: 5 } },
  });
  test.after(() => stage.close());
  const runToEnd = async (workflow: string): Promise<string> => {
    const id = await stage.job(workflow, `A job that is ${workflow}`);
    await stage.until(id, (job) => job.ended);
    return id;
  };
  const ids = {
    priced: await runToEnd('priced'),
    free: await runToEnd('free'),
    unpriced: await runToEnd('unpriced'),
    silent: await runToEnd('silent'),
  };

  test('the page of a job shows its cost, by phase and by model (UI-1)', async () => {
    const page = await stage.page(`#/jobs/${ids.priced}`);
    const card = page.getByRole('region', { name: 'Cost' });
    await card.waitFor();
    assert.match((await card.textContent()) ?? '', /Cost\$0\.615/);
    assert.equal(await card.getByRole('listitem').allTextContents(), [
      'work$0.615 · 201.0 k tokens',
      'large$0.615 · 201.0 k tokens',
    ]);
    await card.scrollIntoViewIfNeeded();
    await picture(page, 'costs-of-a-job');
    await closePage(page);
  });

  long('a price that is not known is named, and how to set it (UI-1)', async () => {
    const page = await stage.page(`#/jobs/${ids.unpriced}`);
    const card = page.getByRole('region', { name: 'Cost' });
    await card.waitFor();
    assert.match((await card.textContent()) ?? '', /unpriced.*1 call has no known price/);
    await closePage(page);
  });

  long('a session without a report is unpriced too, and a price of 0 is one (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    const readCost = (id: string) =>
      page.locator('.job-row', { has: page.locator(`[data-job="${id}"]`) }).locator('.cost');
    await readCost(ids.silent).waitFor();
    const cells = await Promise.all(
      [ids.priced, ids.free, ids.unpriced, ids.silent].map((id) => readCost(id).textContent()),
    );
    assert.equal(cells, ['$0.615', '$0', 'unpriced', 'unpriced']);
    await picture(page, 'costs-in-the-list');
    await closePage(page);
  });

  test('the list is sorted by cost with one click, the highest first; groups have their sum (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    const first = page.locator('.job-row .title').first();
    await first.getByText('silent').waitFor();
    await page.getByRole('columnheader', { name: 'Cost' }).getByRole('button').click();
    await first.getByText('priced').waitFor();
    await page.locator('[role=columnheader].cost[aria-sort=descending]').waitFor();
    assert.match(page.url(), /sort=-cost/);
    await page.goto(`${stage.runner.url}/dashboard/#/jobs?group=repo`);
    const heading = page.getByRole('heading', { name: /titles/ });
    await heading.locator('.group-cost').waitFor();
    assert.is(await heading.locator('.group-cost').textContent(), '$0.615 + unpriced');
    await picture(page, 'costs-in-groups');
    await closePage(page);
  });

  test('statistics show the cost by day and model, on every screen (UI-1)', async () => {
    const page = await stage.page('#/statistics');
    const section = page.getByRole('region', { name: 'Cost', exact: true });
    await section.locator('.part.working').last().waitFor({ state: 'attached' });
    assert.match((await section.textContent()) ?? '', /\$0\.615 \+ unpriced for 3 calls of models/);
    const bars = section.locator('.column-chart rect title');
    assert.match((await bars.allTextContents()).at(-1) ?? '', /: \$0\.615 large$/);
    const rows = await section.getByRole('row').allTextContents();
    assert.is(rows.length, 5);
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      await section.getByRole('button', { name: 'Save as CSV' }).scrollIntoViewIfNeeded();
      assert.equal(await axeFaults(page), [], `${width} ${colorScheme}`);
      await picture(page, `statistics-costs-${width}-${colorScheme}`);
    }
    await closePage(page);
  });

  test('statistics show the cost by phase, and by job with a link to each (UI-1)', async () => {
    const page = await stage.page('#/statistics');
    const section = page.locator('.statistic', { has: page.locator('#costs') });
    await section.getByRole('combobox').selectOption('phase');
    await section.getByRole('rowheader', { name: 'work' }).waitFor();
    await section.getByRole('combobox').selectOption('job');
    const link = section.getByRole('link', { name: 'A job that is priced' });
    assert.is(await link.getAttribute('href'), `#/jobs/${ids.priced}`);
    await closePage(page);
  });

  test('statistics show shares, the change against the days before, the most expensive jobs and the budgets (UI-1)', async () => {
    const page = await stage.page('#/statistics');
    const table = page.getByRole('region', { name: 'Cost by model' });
    await table.waitFor();
    const cells = await table.getByRole('row').nth(1).getByRole('cell').allTextContents();
    assert.equal(cells.slice(0, 3), ['$0.615', '100 %', 'new']);
    const top = page.getByRole('region', { name: 'Most expensive jobs' });
    const [first] = await top.getByRole('listitem').allTextContents();
    assert.is(first, 'A job that is priced$0.615');
    const budgets = page.getByRole('region', { name: 'Budgets' });
    // Also what a session may have used that reported nothing.
    assert.match(
      (await budgets.getByRole('listitem').textContent()) ?? '',
      /^Today \(UTC\)\$0\.\d+ of \$5\.00 \(1\d %\)$/,
    );
    await closePage(page);
  });

  test('statistics show the cost by repository too (UI-1)', async () => {
    const page = await stage.page('#/statistics');
    const section = page.getByRole('region', { name: 'Cost', exact: true });
    await section.getByRole('combobox').selectOption('repository');
    const table = section.getByRole('region', { name: 'Cost by repository' });
    await table.waitFor();
    assert.match((await table.textContent()) ?? '', /titles\$0\.615 \+ unpriced/);
    await closePage(page);
  });

  test('no page made an error', () => {
    assert.equal(stage.problems, []);
  });
}

test.run();
