import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { fakeVendor, OAUTH_PLUGIN } from '../support/agents/fakeVendor.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';

const test = suite('browser: plugins');

if (hasBrowser('plugins in Chromium')) {
  const vendor = await fakeVendor();
  // Another site than the runner's, as every vendor is.
  const site = vendor.url.replace('127.0.0.1', 'localhost');
  const fake = { config: { site }, allowHosts: ['localhost'] };
  const stage = await DashboardStage.open({}, { plugins: { installed: { fake } } });
  test.after(async () => {
    await stage.close();
    await vendor[Symbol.asyncDispose]();
  });

  test('a person installs an executor, logs it in at its vendor and changes its settings (HTTP-6 HTTP-7 UI-1)', async () => {
    const folder = join(stage.dir, 'fake');
    mkdirSync(folder);
    for (const [name, text] of Object.entries(OAUTH_PLUGIN))
      writeFileSync(join(folder, name), text);
    const page = await stage.page('#/plugins');
    await page.getByRole('button', { name: 'Install' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill(folder);
    assert.match(
      (await dialog.textContent()) ?? '',
      /runs with the permissions of the runner’s user/,
    );
    await picture(page, 'plugins-install');
    await dialog.getByRole('button', { name: 'Install' }).click();
    await page.getByRole('button', { name: 'Log in' }).click();
    // The vendor sends the browser back to the runner at once.
    const link = page.getByRole('link', { name: 'Open the page of the vendor' });
    const address = (await link.getAttribute('href')) ?? '';
    await page.goto(address);
    await page.getByText('The last login was completed').waitFor();
    assert.is(page.url().includes('code='), false);
    await page.getByText('Set, not shown').waitFor();
    const retries = page.getByRole('spinbutton', { name: 'Retries' });
    await retries.fill('2.5');
    await page.getByText('This must be a whole number.').waitFor();
    assert.is(await page.getByRole('button', { name: 'Save settings' }).isDisabled(), true);
    await retries.fill('3');
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 1400 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `plugin ${width} ${colorScheme}`);
      await picture(page, `plugins-${width}-${colorScheme}`);
    }
    await retries.press('Enter');
    await page.getByText('The settings of fake are saved').waitFor();
    const { reply } = await stage.client.config();
    assert.equal(Object(reply.config.plugins).installed.fake.config, {
      site,
      retries: 3,
      accessToken: '********',
    });
    // Nothing but the way of the person to the vendor leaves the runner.
    const others = stage.problems.filter((one) => !one.includes(`${site}/authorize?`));
    assert.equal(others, []);
    await closePage(page);
  });
}

test.run();
