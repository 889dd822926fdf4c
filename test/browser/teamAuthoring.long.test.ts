import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readOwnHomeId } from '../../src/host/backup/homeRecord.ts';
import { CHROMIUM, DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture, toContextOptions } from '../support/browser/pageChecks.ts';
import { postgresPrograms } from '../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage } from '../support/cloud/peopleStage.ts';
import { PATIENCE_MS } from '../support/inTime.ts';

const test = suite("browser: the team's overlay is edited in its dashboard");

const DASHBOARD =
  process.env.SVC_TEST_DASHBOARD ?? join(import.meta.dirname, '..', '..', 'dist', 'ui');

if (!existsSync(join(DASHBOARD, 'index.html')))
  throw new Error('The dashboard is not built: npm run build');

if (postgresPrograms.length > 0 && hasBrowser("editing a team's overlay")) {
  const stage = await PeopleStage.open({ dashboard: DASHBOARD });
  const home = await DashboardStage.open();
  const { chromium } = createRequire(import.meta.url)(
    'playwright-core',
  ) as typeof import('playwright-core');
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  test.after(async () => {
    await browser.close();
    await home.close();
    await stage.close();
  });
  const look = LOOKS.find(({ width }) => width === 1440);
  if (look === undefined) throw new Error('no look');

  /** Pairs the machine of the stage, which then checks texts for the team. */
  async function pairHome(teamId: string): Promise<void> {
    const { access_token } = await stage.logIn(await stage.openVisitor('ada'));
    const json = { 'Content-Type': 'application/json' };
    const response = await stage.ask(`/teams/${teamId}/pairing-codes`, access_token, {
      method: 'POST',
      headers: json,
      body: '{}',
    });
    const { code } = await response.json();
    const homeId = (await readOwnHomeId(join(home.dir, 'home'))) ?? '';
    const reply = await stage.cloud.ask('/pair', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ code, name: 'build-1', homeId }),
    });
    const { token } = await reply.json();
    await home.client.updateConfig({
      cloud: { url: stage.cloud.publicUrl, token, name: 'build-1', accept: 'team' },
    });
  }

  const openTeam = async (name: string): Promise<Page> => {
    const page = await (await browser.newContext(toContextOptions(look))).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${stage.cloud.publicUrl}/t/acme/`);
    await page.getByLabel('Email').fill(`${name}@svc.example`);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL('**/t/acme/**');
    return page;
  };

  const openHash = (page: Page, hash: string): Promise<void> =>
    page.evaluate((to) => {
      location.hash = to;
    }, hash);

  test('an admin writes a workflow, which a connected runner lints and simulates, and goes back to an older version (CLD-3, INT-3)', async () => {
    const teamId = await stage.addTeam('acme');
    await stage.addPerson('ada', 'owner', teamId);
    await stage.addPerson('ben', 'member', teamId);
    await stage.addPerson('vic', 'viewer', teamId);
    await pairHome(teamId);
    const ada = await openTeam('ada');
    await openHash(ada, '#/runners');
    await ada.getByText('Connected').first().waitFor();

    await openHash(ada, '#/workflows');
    await ada.getByRole('button', { name: 'New workflow' }).click();
    await ada.getByRole('dialog').getByLabel('Name').fill('nightly');
    await ada.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await ada.locator('.drawing').getByText('coding', { exact: true }).first().waitFor();
    await ada.getByRole('button', { name: 'Simulate', exact: true }).click();
    await ada.locator('form.simulate').getByText('phases reached').waitFor();
    await ada.getByRole('button', { name: 'Save', exact: true }).click();
    await ada.locator('.file-head .pill', { hasText: 'tenant' }).waitFor();

    await ada.locator('.cm-content').click();
    await ada.keyboard.press('Control+End');
    await ada.keyboard.insertText('Be quiet at night.\n');
    await ada.locator('.file-list .needs-you').waitFor();
    await ada.getByRole('button', { name: 'Save', exact: true }).click();
    await ada.locator('.file-list .needs-you').waitFor({ state: 'detached' });
    await ada.getByRole('button', { name: 'Who changed it' }).click();
    const rows = ada.getByRole('dialog').locator('.file-versions li');
    await rows.getByText('created by').waitFor();
    assert.is(await rows.count(), 2);
    assert.equal(await axeFaults(ada), []);
    await picture(ada, `team-workflows-${look.name}`);
    await ada.keyboard.press('Escape');

    await openHash(ada, '#/versions?id=2');
    const second = ada.locator('[data-version="2"]');
    await second.getByText('Be quiet at night.').waitFor();
    assert.equal(await axeFaults(ada), []);
    await picture(ada, `team-versions-${look.name}`);
    await ada.locator('[data-version="1"]').getByRole('button', { name: 'Restore …' }).click();
    await ada.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await ada.locator('[data-version="3"]').getByText('restores version 1').waitFor();
    await openHash(ada, '#/workflows/workflows/nightly.md');
    await ada.locator('.cm-content').waitFor();
    assert.is(await ada.locator('.cm-line', { hasText: 'Be quiet' }).count(), 0);
  });

  test('what a member changes is proposed, and applied by another person (CLD-3, INT-8)', async () => {
    const ben = await openTeam('ben');
    await openHash(ben, '#/workflows/workflows/nightly.md');
    await ben.locator('.drawing').getByText('coding', { exact: true }).first().waitFor();
    await ben.locator('.cm-content').click();
    await ben.keyboard.press('Control+End');
    await ben.keyboard.insertText('Be brief.\n');
    await ben.locator('.file-list .needs-you').waitFor();
    await ben.getByRole('button', { name: 'Propose …' }).click();
    const dialog = ben.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Propose', exact: true });
    assert.ok(await send.isDisabled(), 'a reason is needed');
    await dialog.getByLabel('What it improves, and why').fill('Reports were long.');
    assert.equal(await axeFaults(ben), []);
    await picture(ben, `team-propose-${look.name}`);
    await send.click();
    await ben.getByRole('heading', { name: 'Reports were long.' }).waitFor();
    const id = new URL(ben.url()).hash.split('/').at(-1);
    await openHash(ben, '#/workflows/workflows/nightly.md');
    await ben.locator('.cm-content').waitFor();
    assert.is(await ben.locator('.file-list .needs-you').count(), 0, 'no draft is left');

    const ada = await openTeam('ada');
    await openHash(ada, `#/proposals/${id}`);
    await ada.locator('.proposal-detail').getByText('by ben').waitFor();
    await ada.getByRole('button', { name: 'Approve …' }).click();
    await ada.getByRole('dialog').getByRole('button', { name: 'Approve and apply' }).click();
    await ada.locator('.proposal-detail').getByText('applied', { exact: true }).waitFor();
    await openHash(ada, '#/versions?id=4');
    await ada.locator('[data-version="4"]').getByText('Be brief.').waitFor();
  });

  test('a member may restore no version, and a viewer changes nothing', async () => {
    const ben = await openTeam('ben');
    await openHash(ben, '#/versions');
    await ben.locator('[data-version="4"]').waitFor();
    assert.is(await ben.getByRole('button', { name: 'Restore …' }).count(), 0);
    const vic = await openTeam('vic');
    await openHash(vic, '#/workflows/workflows/nightly.md');
    await vic.getByText('Only a member of the team can propose a change').waitFor();
    assert.ok(await vic.getByRole('button', { name: 'Save', exact: true }).isDisabled());
    assert.is(await vic.getByRole('button', { name: 'New workflow' }).count(), 0);
  });
}

test.run();
