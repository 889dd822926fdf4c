import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';

const test = suite('browser: settings');

if (hasBrowser('settings in Chromium')) {
  const stage = await DashboardStage.open({}, { decision: { apiKey: 'sk-canary' } });
  test.after(() => stage.close());

  test('a person finds a setting, sees where it comes from, reviews the change and saves it (UI-6, CFG-1)', async () => {
    const page = await stage.page('#/settings');
    await page.getByRole('searchbox').fill('concurrent jobs');
    const jobs = page.getByRole('spinbutton', { name: 'Max concurrent jobs' });
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
    await page.getByRole('textbox', { name: 'Display name' }).fill('Ana and Ben');
    await page.getByRole('button', { name: 'Review and save …' }).click();
    const dialog = page.getByRole('dialog');
    assert.match((await dialog.textContent()) ?? '', /tenant\.displayNamerestart.* → Ana and Ben/);
    await picture(page, 'settings-review');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Takes effect after a restart of the runner').waitFor();
    const { reply } = await stage.client.config();
    assert.is(Object(reply.config.tenant).displayName, 'Ana and Ben');
    assert.equal(stage.problems, []);
    await page.context().close();
  });
}

test.run();
