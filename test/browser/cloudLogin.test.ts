import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { logInByBrowser } from '../../cli/cloud/logInByBrowser.ts';
import { discoverCloud } from '../../cli/cloud/oauthTokens.ts';
import { CHROMIUM, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, toContextOptions, LOOKS, picture } from '../support/browser/pageChecks.ts';
import { postgresPrograms } from '../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage } from '../support/cloud/peopleStage.ts';

const test = suite('browser: the first people of a team');

/** Every page as it should be in the look of its browser, and a picture of it. */
async function checkPage(page: Page, name: string, look: string): Promise<void> {
  assert.equal(await axeFaults(page), [], name);
  await picture(page, `cloud-${name}-${look}`);
}

async function fillAccount(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Email').fill(`${name.toLowerCase()}@svc.example`);
  await page.getByLabel('Password').fill(PASSWORD);
}

if (postgresPrograms.length > 0 && hasBrowser('the first people of a team')) {
  const stage = await PeopleStage.open();
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
  const [dark, light] = LOOKS;
  if (dark === undefined || light === undefined) throw new Error('no looks');

  test('owner by the link, an invitation, a second person, and their command line (CLD-2)', async () => {
    const problems: string[] = [];
    const open = async (look: (typeof LOOKS)[number]): Promise<Page> => {
      const page = await (await browser.newContext(toContextOptions(look))).newPage();
      page.on('console', (message) => {
        // A login that is needed is no fault of the page.
        if (message.type() === 'error' && !message.text().includes('status of 401'))
          problems.push(message.text());
      });
      page.on('pageerror', (error) => problems.push(error.message));
      return page;
    };

    const ada = await open(light);
    await ada.goto((await stage.cloud.createOwnerLink()) ?? '');
    await checkPage(ada, 'owner', light.name);
    await ada.getByLabel('Name of the team').fill('Acme');
    await fillAccount(ada, 'Ada');
    await ada.getByRole('button', { name: 'Create team' }).click();
    await ada.getByRole('heading', { name: 'Welcome, Ada' }).waitFor();
    await checkPage(ada, 'home', light.name);

    const { request } = ada.context();
    const me = await request.get(`${stage.cloud.publicUrl}/me`);
    const { csrf } = (await me.json()) as { csrf: string };
    const invited = await request.post(`${stage.cloud.publicUrl}/teams/acme/invitations`, {
      data: { role: 'member' },
      headers: { 'X-Svc-Csrf': csrf },
    });
    const { url } = (await invited.json()) as { url: string };

    const ben = await open(dark);
    await ben.goto(url);
    await checkPage(ben, 'invitation', dark.name);
    await fillAccount(ben, 'Ben');
    await ben.getByRole('button', { name: 'Create account and join' }).click();
    await ben.getByRole('heading', { name: 'Welcome, Ben' }).waitFor();
    await ben.getByRole('link', { name: 'Acme' }).waitFor();

    await ben.getByRole('button', { name: 'Log out' }).click();
    await checkPage(ben, 'login', dark.name);
    // What people type by hand.
    await ben.goto(`${stage.cloud.publicUrl}/login`);
    await ben.getByRole('heading', { name: 'Log in' }).waitFor();
    await ben.goto(`${stage.cloud.publicUrl}/jobs/nowhere`);
    await ben.getByRole('heading', { name: 'Page not found' }).waitFor();
    await checkPage(ben, 'missing', dark.name);
    assert.ok(problems.splice(0).every((text) => text.includes('status of 404')));
    const place = {
      io: { fetch, err: () => {}, after: () => () => {} },
      url: stage.cloud.publicUrl,
      version: '0.0.0',
    };
    const tokens = await logInByBrowser(place, await discoverCloud(place), async (address) => {
      await ben.goto(address);
      await ben.getByLabel('Email').fill('ben@svc.example');
      await ben.getByLabel('Password').fill(PASSWORD);
      await ben.getByRole('button', { name: 'Log in' }).click();
      await ben.getByRole('heading', { name: 'Allow the command line?' }).waitFor();
      await checkPage(ben, 'consent', dark.name);
      await ben.getByRole('button', { name: 'Allow' }).click({ noWaitAfter: true });
      return true;
    });
    const teams = await stage.ask('/teams', tokens?.accessToken ?? '');
    assert.equal(
      ((await teams.json()) as { teams: { slug: string; role: string }[] }).teams.map(
        ({ slug, role }) => [slug, role],
      ),
      [['acme', 'member']],
    );
    await ben.getByText('you can close this page').waitFor();

    const device = await stage.client.startDevice('pool-1');
    await ben.goto(device.verification_uri);
    await checkPage(ben, 'device', dark.name);
    await ben.getByLabel('Code').fill(device.user_code);
    await ben.getByRole('button', { name: 'Continue' }).click();
    await ben.getByText('pool-1').waitFor();
    await checkPage(ben, 'device-question', dark.name);
    await ben.getByRole('button', { name: 'Allow' }).click();
    await ben.getByRole('heading', { name: 'The machine is logged in' }).waitFor();
    assert.is((await stage.client.poll(device.device_code)).status, 200);
    assert.equal(problems, []);
  });
}

test.run();
