import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';

const test = suite('browser: settings');

if (hasBrowser('settings in Chromium')) {
  const stage = await DashboardStage.open({}, { decision: { apiKey: 'sk-canary' } });
  test.after(() => stage.close());

  test('a person finds a setting, sees where it comes from, reviews the change and saves it (UI-6, CFG-1)', async () => {
    const page = await stage.page('#/settings');
    await page.getByRole('searchbox').fill('concurrent jobs');
    const jobs = page.getByRole('spinbutton', { name: 'Jobs at the same time' });
    await jobs.waitFor();
    assert.is(await jobs.inputValue(), '4');
    const restart = page.getByText('restart', { exact: true });
    assert.is(await restart.count(), 0, 'it is in force at once');
    await page.getByRole('searchbox').fill('display name');
    await restart.first().waitFor();
    await page.getByRole('searchbox').fill('');
    await page.goto(`${page.url().split('#')[0]}#/settings/decision`);
    await page.getByText('Set, not shown').first().waitFor();
    assert.is((await page.content()).includes('sk-canary'), false);
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 1400 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `settings ${width} ${colorScheme}`);
      await picture(page, `settings-${width}-${colorScheme}`);
    }
    await page.goto(`${page.url().split('#')[0]}#/settings/tenant`);
    await page.getByRole('textbox', { name: 'Name of the team' }).fill('Ana and Ben');
    await page.getByRole('button', { name: 'Review and save …' }).click();
    const dialog = page.getByRole('dialog');
    assert.match((await dialog.textContent()) ?? '', /tenant\.displayNamerestart.* → Ana and Ben/);
    await picture(page, 'settings-review');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Takes effect after a restart of the runner').waitFor();
    const { reply } = await stage.client.config();
    assert.is(Object(reply.config.tenant).displayName, 'Ana and Ben');
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('what is on the screen stays while a proxy answers 503, and is read again once the runner answers (UI-1)', async () => {
    const page = await stage.page('#/guardrails');
    const rules = page.locator('.guardrail-row strong');
    await rules.first().waitFor();
    const before = await rules.count();
    await page.route('**/guardrails', (route) => route.fulfill({ status: 503, body: '' }));
    await page.route('**/health', (route) => route.fulfill({ status: 503, body: '' }));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('No connection to the runner since').waitFor();
    assert.is(await rules.count(), before);
    assert.is(await page.getByText('Not loaded yet').count(), 0);
    await page.unroute('**/guardrails');
    const read = page.waitForResponse('**/guardrails');
    await page.unroute('**/health');
    assert.is((await read).status(), 200);
    await page.getByText('No connection to the runner since').waitFor({ state: 'detached' });
    assert.is(await rules.count(), before);
    // The browser logs the answers that were made up.
    stage.problems.length = 0;
    await closePage(page);
  });

  test('pages with nothing on them say what to do, and the ratings say how far they are (UI-5)', async () => {
    const page = await stage.page('#/schedules');
    await page.getByRole('link', { name: 'Add a schedule' }).waitFor();
    const open = (hash: string) =>
      page.evaluate((to) => {
        location.hash = to;
      }, hash);
    await open('#/proposals');
    await page.getByRole('heading', { name: 'No proposals yet' }).waitFor();
    await open('#/insights');
    await page.getByRole('heading', { name: 'No insights yet' }).waitFor();
    await open('#/plugins');
    await page.locator('.plugin-detail').waitFor();
    await open('#/ratings');
    await page.getByText('Flags with a known outcome: 0 of 20').waitFor();
    await page
      .locator('.flag-progress')
      .getByRole('link', { name: /^Settings/ })
      .waitFor();
    assert.equal(await axeFaults(page), []);
    assert.equal(stage.problems, []);
    await closePage(page);
  });
}

test.run();
