import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logInByBrowser } from '../../cli/cloud/logInByBrowser.ts';
import { discoverCloud } from '../../cli/cloud/oauthTokens.ts';
import { CHROMIUM, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, toContextOptions, LOOKS, picture } from '../support/browser/pageChecks.ts';
import { postgresPrograms } from '../support/cloud/openTestDatabase.ts';
import { PASSWORD } from '../support/cloud/peopleStage.ts';
import { SignOnStage } from '../support/cloud/signOnStage.ts';

const test = suite("browser: people log in at their company's issuer");

if (postgresPrograms.length > 0 && hasBrowser("people log in at their company's issuer")) {
  const stage = await SignOnStage.open();
  const { publicUrl } = stage.people.cloud;
  const { chromium } = createRequire(import.meta.url)(
    'playwright-core',
  ) as typeof import('playwright-core');
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  test.after(async () => {
    await browser.close();
    await stage.close();
  });

  const openPages = (): Promise<Page[]> =>
    Promise.all(
      LOOKS.map(async (look) => (await browser.newContext(toContextOptions(look))).newPage()),
    );

  async function checkPage(page: Page, name: string, look: string): Promise<void> {
    assert.equal(await axeFaults(page), [], name);
    await picture(page, `company-${name}-${look}`);
  }

  /** Fills the login page of the company. */
  async function logInThere(page: Page, subject: string): Promise<void> {
    await page.getByRole('heading', { name: 'Company login' }).waitFor();
    await page.getByLabel('Subject').fill(subject);
    await page.getByRole('button', { name: 'Log in' }).click();
  }

  test('an owner connects the account, a person logs in by the command line, and is out when removed (CLD-2)', async () => {
    const [first, second] = await openPages();
    const [look, otherLook] = LOOKS;
    if (!first || !second || !look || !otherLook) throw new Error('no looks');
    await first.goto(`${publicUrl}/auth/login`);
    await first.getByLabel('Email').fill('ada@svc.example');
    await first.getByLabel('Password').fill(PASSWORD);
    await first.getByRole('button', { name: 'Log in' }).click();
    await first.getByRole('heading', { name: 'Welcome, ada' }).waitFor();
    await stage.setIssuer({ roles: [{ group: 'staff', team: 'acme', role: 'member' }] });
    stage.hire('ada', { groups: ['staff'] });
    stage.hire('ben', { groups: ['staff'] });
    stage.hire('eve', { email_verified: false });

    await first.goto(`${publicUrl}/auth/home`);
    await checkPage(first, 'home', look.name);
    await first.getByRole('link', { name: /^Connect with/ }).click();
    await logInThere(first, 'ada');
    await first.getByRole('heading', { name: 'Connect your account?' }).waitFor();
    await checkPage(first, 'connect', look.name);
    await first.getByRole('button', { name: 'Connect' }).click();
    await first.getByRole('heading', { name: 'Welcome, ada' }).waitFor();
    assert.is(await first.getByRole('link', { name: /^Connect with/ }).count(), 0);

    const place = {
      io: { fetch, err: () => {}, after: () => () => {} },
      url: publicUrl,
      version: '0.0.0',
    };
    const tokens = await logInByBrowser(place, await discoverCloud(place), async (address) => {
      await second.goto(address);
      await checkPage(second, 'login', otherLook.name);
      await second.getByRole('link', { name: /^Continue to/ }).click();
      await logInThere(second, 'ben');
      await second.getByRole('heading', { name: 'Allow the command line?' }).waitFor();
      await second.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true });
      return true;
    });
    const teams = await stage.people.ask('/teams', tokens?.accessToken ?? '');
    assert.equal(
      ((await teams.json()) as { teams: { slug: string; role: string }[] }).teams.map(
        ({ slug, role }) => [slug, role],
      ),
      [['acme', 'member']],
    );

    delete stage.issuer.people.ben;
    stage.people.clock.shift(10 * 60_000);
    const refused = await stage.people.client.refresh(tokens?.refreshToken ?? '');
    assert.is(refused.body.error, 'invalid_grant');
    await second.goto(`${publicUrl}/auth/home`);
    await second.getByRole('heading', { name: 'Log in' }).waitFor();

    const [third] = await openPages();
    if (!third) throw new Error('no page');
    await third.goto(`${publicUrl}/auth/login`);
    await third.getByRole('link', { name: /^Continue to/ }).click();
    await logInThere(third, 'eve');
    await third.getByRole('heading', { name: 'Your email address is not verified' }).waitFor();
    await checkPage(third, 'unverified', look.name);
    await third.getByRole('link', { name: 'Log in with another account' }).click();
    await third.getByRole('heading', { name: 'Company login' }).waitFor();
  });
}

test.run();
