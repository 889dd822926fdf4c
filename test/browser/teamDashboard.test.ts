import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { appendAudit } from '../../src/cloud/server/audit/appendAudit.ts';
import { readOwnHomeId } from '../../src/host/backup/homeRecord.ts';
import type { PairedRunner } from '../../src/contract/schema/cloud/teamRunner.ts';
import { CHROMIUM, DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { AUDIT_PAGE } from '../../ui/audit/auditFilter.ts';
import {
  axeFaults,
  toContextOptions,
  LOOKS,
  type Look,
  OTHER_LOOKS,
  picture,
} from '../support/browser/pageChecks.ts';
import { DoubleRunner } from '../support/cloud/doubleRunner.ts';
import { postgresPrograms } from '../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage } from '../support/cloud/peopleStage.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: the dashboard of a team');
const long = longLane(test);

const DASHBOARD =
  process.env.SVC_TEST_DASHBOARD ?? join(import.meta.dirname, '..', '..', 'dist', 'ui');

/** Posts a plan and waits for approval. */
const PLANS = `
tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# In one step' });
`;

async function fillAccount(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Email').fill(`${name.toLowerCase()}@svc.example`);
  await page.getByLabel('Password').fill(PASSWORD);
}

const openPart = async (page: Page, part: string, heading: string): Promise<void> => {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${part}`);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
};

const readCode = (command: string): string => /--pair (\S+)/.exec(command)?.[1] ?? '';

if (!existsSync(join(DASHBOARD, 'index.html')))
  throw new Error('The dashboard is not built: npm run build');

if (postgresPrograms.length > 0 && hasBrowser('the dashboard of a team')) {
  const stage = await PeopleStage.open({ dashboard: DASHBOARD });
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
  const EVERY_LOOK = [...LOOKS, ...OTHER_LOOKS].filter(
    ({ width }) => width === 390 || width === 1440,
  );
  const problems: string[] = [];

  const openBrowser = async (look: Look): Promise<Page> => {
    const context = await browser.newContext({
      ...toContextOptions(look),
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    page.on('console', (message) => {
      if (message.type() === 'error' && !/net::ERR_|status of 503/.test(message.text()))
        problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(stage.cloud.publicUrl)) problems.push(request.url());
    });
    return page;
  };

  const checkPage = async (page: Page, name: string): Promise<void> => {
    assert.equal(await axeFaults(page), [], name);
    await picture(page, `team-${name}`);
  };

  /** Pairs a home with the command that the page shows. */
  const pair = async (page: Page, homeId: string, name: string): Promise<PairedRunner> => {
    await page.getByRole('button', { name: 'Create a pairing code' }).click();
    const command = await page.locator('.notice .copy-line code').first().textContent();
    const reply = await fetch(`${stage.cloud.url}/pair`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code: readCode(command ?? ''), name, homeId }),
    });
    assert.is(reply.status, 201);
    return (await reply.json()) as PairedRunner;
  };

  let ada: Page;
  let ben: Page;

  test('the owner lands in the dashboard, and a second person comes by a link that is shown once (CLD-2)', async () => {
    ada = await openBrowser(light);
    await ada.goto((await stage.cloud.createOwnerLink()) ?? '');
    await ada.getByLabel('Name of the team').fill('Acme');
    await fillAccount(ada, 'Ada');
    await ada.getByRole('button', { name: 'Create team' }).click();
    await ada.waitForURL('**/t/acme/#/jobs');
    await ada.getByRole('heading', { name: 'No jobs yet' }).waitFor();
    await checkPage(ada, 'jobs-empty-1440-light');

    await openPart(ada, 'members', 'Members');
    await ada.getByText('The only owner.').waitFor();
    assert.is(await ada.getByRole('combobox', { name: 'Role of Ada' }).count(), 0);
    await ada.getByRole('button', { name: 'Create a link' }).click();
    const link = (await ada.locator('.notice .copy-line code').textContent()) ?? '';
    await checkPage(ada, 'members-1440-light');

    ben = await openBrowser(dark);
    await ben.goto(link);
    await fillAccount(ben, 'Ben');
    await ben.getByRole('button', { name: 'Create account and join' }).click();
    await ben.waitForURL('**/t/acme/#/jobs');
    await openPart(ben, 'members', 'Members');
    assert.is(await ben.getByRole('heading', { name: 'Invitations' }).count(), 0);
    await checkPage(ben, 'members-390-dark');
    await ada.reload();
    await ada.getByRole('combobox', { name: 'Role of Ben' }).waitFor();
    assert.is(await ada.getByText(link).count(), 0);
    assert.equal(problems.splice(0), []);
  });

  test('what a team does not have is not offered (CLD-5)', async () => {
    const places = ada.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const names = (await places.allTextContents()).map((name) => name.trim());
    for (const missing of ['Plan', 'Plugins', 'Settings'])
      assert.not.ok(names.includes(missing), missing);
    for (const present of [
      'Jobs',
      'Needs you',
      'Workflows',
      'Proposals',
      'Statistics',
      'Dispatches',
      'Overlay versions',
      'Runners',
      'Members',
      'Audit',
    ])
      assert.ok(names.includes(present), present);
    await ben.evaluate(() => {
      location.hash = '#/audit';
    });
    await ben.getByRole('heading', { name: 'Not part of this team' }).waitFor();
    await ada.evaluate(() => {
      location.hash = '#/settings';
    });
    await ada.getByRole('heading', { name: 'Not part of this team' }).waitFor();
    await ada.evaluate(() => {
      location.hash = '#/statistics';
    });
    await ada.getByRole('heading', { name: 'No runner yet' }).waitFor();
    assert.equal(problems.splice(0), []);
  });

  test('a machine is paired with the line of the page, a dispatch waits with its reason, and the runner is revoked (CLD-1)', async () => {
    await openPart(ada, 'runners', 'Runners');
    const { token, runnerId } = await pair(ada, 'home-1', 'mac-ada');
    const runner = await new DoubleRunner(stage.cloud, token, {
      homeId: 'home-1',
      hello: { name: 'mac-ada', labels: ['linux'] },
    }).connect();
    try {
      const row = ada.locator(`[data-runner="${runnerId}"]`);
      await row.getByText('Connected').waitFor();
      assert.is(await row.getByText('linux').count(), 1);
      await checkPage(ada, 'runners-1440-light');

      const dispatched = ada.evaluate(async () => {
        const csrf =
          document.querySelector<HTMLMetaElement>('meta[name="svc-csrf"]')?.content ?? '';
        const reply = await fetch('/teams/acme/jobs', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Svc-Csrf': csrf },
          body: JSON.stringify({
            type: 'job',
            workflowPath: 'workflows/job.md',
            params: { repoSlug: 'shop', description: 'Train the model' },
            labels: ['gpu'],
          }),
        });
        return reply.status;
      });
      await openPart(ada, 'dispatches', 'Waiting dispatches');
      await ada.getByText('No connected runner has the label gpu.').waitFor();
      await openPart(ben, 'dispatches', 'Waiting dispatches');
      await ben.getByText('No connected runner has the label gpu.').waitFor();
      assert.is(await ben.getByRole('button', { name: 'Cancel …' }).count(), 0);
      await checkPage(ben, 'dispatches-390-dark');
      await ada.getByRole('button', { name: 'Cancel …' }).click();
      await ada.getByRole('button', { name: 'Cancel the dispatch' }).click();
      await ada.getByText('Nothing waits: every job has a runner.').waitFor();
      await checkPage(ada, 'dispatches-1440-light');
      assert.is(await dispatched, 202);

      await openPart(ben, 'runners', 'Runners');
      await ben.locator(`[data-runner="${runnerId}"]`).waitFor();
      assert.is(await ben.getByRole('button', { name: 'Revoke …' }).count(), 0);
      await checkPage(ben, 'runners-390-dark');
      await openPart(ada, 'runners', 'Runners');
      await row.getByRole('button', { name: 'Revoke …' }).click();
      await ada.getByRole('button', { name: 'Revoke', exact: true }).click();
      await row.waitFor({ state: 'detached' });
    } finally {
      runner.close();
    }
    assert.equal(problems.splice(0), []);
  });

  long('the audit log of a team has filters, pages and a check of its chain (CLD-1)', async () => {
    const teamId = String((await stage.database.sql`select id from teams`)[0]?.id);
    const person = { userId: 'gone', person: 'Eve', address: '2001:db8::17' };
    const addEntry = (action: string, failed: string | null = null) =>
      appendAudit(stage.database, teamId, {
        ...person,
        at: new Date().toISOString(),
        action,
        target: { jobId: 'j0123456789abcde', invitationId: 'i0123456789abcde' },
        failed,
        refersTo: failed === null ? null : 1,
      });
    for (let n = 0; n < AUDIT_PAGE; n += 1) await addEntry('teamPause');
    const newest = await addEntry('revokeInvitation', 'not-possible-now');

    await openPart(ada, 'members', 'Members');
    await ada.keyboard.press('g');
    await ada.keyboard.press('y');
    await ada.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
    const rows = ada.getByRole('table', { name: 'Entries' }).locator('tbody tr');
    await ada.locator(`[data-entry="${newest}"]`).getByText('not-possible-now').waitFor();
    assert.is(await rows.count(), AUDIT_PAGE);
    await checkPage(ada, 'audit-1440-light');
    await ada.getByRole('link', { name: 'Older' }).click();
    await ada.locator('[data-entry="1"]').waitFor();
    assert.is(await ada.getByRole('link', { name: 'Older' }).count(), 0);
    await ada.getByRole('link', { name: 'Newer' }).click();
    await ada.locator(`[data-entry="${newest}"]`).waitFor();

    await ada.getByLabel('Person').fill('eve');
    await ada.getByLabel('Action').fill('revokeInvitation');
    await ada.getByLabel('Action').press('Enter');
    await ada.waitForFunction(() => document.querySelectorAll('[data-entry]').length === 1);
    assert.match(ada.url(), '#/audit?person=eve&action=revokeInvitation');
    await ada.getByLabel('Action').fill('nothing');
    await ada.getByRole('button', { name: 'Filter' }).click();
    await ada.getByRole('heading', { name: 'No matching entries' }).waitFor();
    await checkPage(ada, 'audit-none-1440-light');
    await ada.getByRole('link', { name: 'Clear' }).click();
    await ada.locator(`[data-entry="${newest}"]`).waitFor();
    assert.is(await ada.getByLabel('Person').inputValue(), '');

    await ada.getByRole('button', { name: 'Check the log' }).click();
    await ada.getByText('Unchanged').waitFor();
    for (const look of EVERY_LOOK) {
      await ada.setViewportSize({ width: look.width, height: look.height });
      await ada.emulateMedia({ colorScheme: look.colorScheme });
      await checkPage(ada, `audit-checked-${look.name}`);
    }
    await stage.database.sql`update audit set action = 'login' where n = 2`;
    await ada.getByRole('button', { name: 'Check the log' }).click();
    await ada.getByText('Entry 2 was changed').waitFor();
    await ada.setViewportSize({ width: light.width, height: light.height });
    await ada.emulateMedia({ colorScheme: light.colorScheme });
    assert.equal(problems.splice(0), []);
  });

  long(
    'a job runs on a paired machine, the second person approves it, and the journal names them (CLD-1)',
    async () => {
      const home = await DashboardStage.open({ plans: PLANS });
      try {
        await openPart(ada, 'runners', 'Runners');
        const homeId = (await readOwnHomeId(join(home.dir, 'home'))) ?? '';
        const { token, runnerId } = await pair(ada, homeId, 'build-1');
        await home.client.updateConfig({
          cloud: { url: stage.cloud.publicUrl, token, name: 'build-1', accept: 'team' },
        });
        await ada.locator(`[data-runner="${runnerId}"]`).getByText('Connected').waitFor();

        await openPart(ada, 'new', 'New job');
        await ada.getByLabel('Workflow').selectOption({ label: 'plans' });
        await ada.getByLabel('Description').fill('Move the price list');
        await checkPage(ada, 'new-1440-light');
        await ada.getByRole('button', { name: 'Dispatch', exact: true }).click();
        await ada.getByRole('dialog').getByRole('button', { name: 'Dispatch' }).click();
        await ada.waitForURL('**/t/acme/#/jobs/*');
        await ada.locator('.on-runner', { hasText: 'build-1' }).first().waitFor();
        const jobId = /#\/jobs\/([^/?]+)/.exec(ada.url())?.[1] ?? '';
        await checkPage(ada, 'job-1440-light');
        // Its log comes from the runner, through the control plane.
        await ada.evaluate((hash) => {
          location.hash = hash;
        }, `#/jobs/${jobId}/log`);
        await ada.locator('.log-row').first().waitFor();

        await openPart(ben, 'inbox', 'Needs you');
        const item = ben.locator('.inbox-row', { hasText: 'Move the price list' });
        await item.click();
        await ben.locator('.inbox-open').getByText('In one step').waitFor();
        await checkPage(ben, 'inbox-390-dark');
        await ben.keyboard.press('a');
        await ben.keyboard.press('Enter');
        await home.until(jobId, ({ phase }) => phase === 'waiting');
        const journal = JSON.stringify(await home.client.journal(jobId));
        assert.match(journal, 'Ben');

        const text = await ada.evaluate(
          async (id) => (await fetch(`/teams/acme/jobs/${id}/journal`)).text(),
          jobId,
        );
        assert.match(text, 'Ben');
        await openPart(ada, 'jobs', 'Jobs');
        await ada.locator('.job-row', { hasText: 'Move the price list' }).waitFor();
        await checkPage(ada, 'jobs-1440-light');

        await home.runner.stop();
        await ada.locator('.on-runner.away').first().waitFor();
        await checkPage(ada, 'jobs-away-1440-light');
        await openPart(ada, 'runners', 'Runners');
        const row = ada.locator(`[data-runner="${runnerId}"]`);
        await row.getByText('Away').waitFor();
        await ada.setViewportSize({ width: dark.width, height: dark.height });
        const choice = row.getByLabel('What happens with the jobs of build-1 if it is lost');
        const room = await choice.evaluate((select: HTMLSelectElement) => {
          const { font, paddingLeft, paddingRight } = getComputedStyle(select);
          const pen = document.createElement('canvas').getContext('2d');
          if (!pen) throw new Error('no canvas');
          pen.font = font;
          const widths = [...select.options].map(({ text }) => pen.measureText(text).width);
          const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
          return select.clientWidth - padding - Math.max(...widths);
        });
        assert.ok(room >= 0, `${room} px`);
        await picture(ada, 'team-runners-lost-390-light');
        await ada.setViewportSize({ width: light.width, height: light.height });
        await row.getByRole('button', { name: 'Revoke …' }).click();
        await ada.getByRole('button', { name: 'Revoke', exact: true }).click();
        await row.waitFor({ state: 'detached' });
      } finally {
        await home.close();
      }
      assert.equal(problems.splice(0), []);
    },
  );
}

test.run();
