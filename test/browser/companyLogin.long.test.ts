import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logInByBrowser } from '../../cli/cloud/logInByBrowser.ts';
import { discoverCloud } from '../../cli/cloud/oauthTokens.ts';
import { CHROMIUM, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture, toContextOptions } from '../support/browser/pageChecks.ts';
import { postgresPrograms } from '../support/cloud/openTestDatabase.ts';
import { SignOnStage } from '../support/cloud/signOnStage.ts';

const test = suite("browser: a login at a company's issuer");

/** How often the issuer is asked again, ms. */
const ASKED_AGAIN_MS = 10 * 60_000;

async function logInThere(page: Page, subject: string): Promise<void> {
  await page.getByRole('heading', { name: 'Company login' }).waitFor();
  await page.getByLabel('Subject').fill(subject);
  await page.getByRole('button', { name: 'Log in' }).click();
}

if (postgresPrograms.length > 0 && hasBrowser('a login at an issuer')) {
  const stage = await SignOnStage.open();
  const { chromium } = createRequire(import.meta.url)(
    'playwright-core',
  ) as typeof import('playwright-core');
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  test.after(async () => {
    await browser.close();
    await stage.close();
  });
  const [look] = LOOKS;
  if (look === undefined) throw new Error('no looks');

  test('ben logs in there, allows his command line, and loses both when he is removed there (CLD-2)', async () => {
    const { cloud, client, clock } = stage.people;
    await stage.setIssuer({ roles: [{ group: 'staff', team: 'acme', role: 'member' }] });
    stage.hire('ben', { groups: ['staff'] });
    const page = await (await browser.newContext(toContextOptions(look))).newPage();

    await page.goto(`${cloud.publicUrl}/auth/home`);
    assert.equal(await axeFaults(page), []);
    await picture(page, `cloud-company-login-${look.name}`);
    await page.getByRole('link', { name: /^Continue to/ }).click();
    await logInThere(page, 'ben');
    await page.getByRole('heading', { name: 'Welcome, Ben' }).waitFor();
    await page.getByRole('link', { name: 'acme' }).waitFor();

    const place = {
      io: { fetch, err: () => {}, after: () => () => {} },
      url: cloud.publicUrl,
      version: '0.0.0',
    };
    const tokens = await logInByBrowser(place, await discoverCloud(place), async (address) => {
      await page.goto(address);
      await page.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true });
      return true;
    });
    // The browser is led there while the command line has its tokens already.
    await page.waitForURL((url) => url.pathname === '/callback');
    const first = await client.refresh(tokens?.refreshToken ?? '');
    assert.is(first.status, 200);

    delete stage.issuer.people.ben;
    clock.shift(ASKED_AGAIN_MS);
    const refused = await client.refresh(first.body.refresh_token);
    assert.is(refused.body.error, 'invalid_grant');
    await page.goto(`${cloud.publicUrl}/auth/home`);
    await page.getByRole('link', { name: /^Continue to/ }).click();
    // The issuer no longer knows him, and leads no browser back.
    await page.waitForURL((url) => url.href.startsWith(stage.issuer.url));
    const me = await page.context().request.get(`${cloud.publicUrl}/me`);
    assert.is(me.status(), 401);
  });
}

test.run();
