import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';

const test = suite('browser: budgets');

/** An agent that uses 20 cents at each run. */
const SPENDS = `
writeFileSync(process.env.SVC_SESSION_DIR + '/report.json', JSON.stringify({
  usage: { inputTokens: 200000, outputTokens: 0 }, model: 'large',
}));
`;

const BUDGETS = {
  job: { usd: 0.2 },
  day: { usd: 1 },
  prices: [{ model: 'large', input: 1, output: 1 }],
};

if (hasBrowser('budgets in Chromium')) {
  const stage = await DashboardStage.open({ spends: SPENDS }, { budgets: BUDGETS });
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
    await page.context().close();
  });

  test('no page made an error', () => {
    // A raise that is too small is refused on purpose.
    assert.equal(
      stage.problems.filter((problem) => !/status of 409/.test(problem)),
      [],
    );
  });
}

test.run();
