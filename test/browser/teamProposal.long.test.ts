import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHROMIUM, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture, toContextOptions } from '../support/browser/pageChecks.ts';
import { postgresPrograms } from '../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage } from '../support/cloud/peopleStage.ts';
import { ProposalClient, toProposalId, toSentProposal } from '../support/cloud/teamProposals.ts';

const test = suite('browser: a second person applies a proposal of the team');

const DASHBOARD =
  process.env.SVC_TEST_DASHBOARD ?? join(import.meta.dirname, '..', '..', 'dist', 'ui');

if (!existsSync(join(DASHBOARD, 'index.html')))
  throw new Error('The dashboard is not built: npm run build');

if (postgresPrograms.length > 0 && hasBrowser('a proposal of a team')) {
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
  const [look] = LOOKS;
  if (look === undefined) throw new Error('no looks');

  /** Pairs a machine of Ada; its token. */
  async function pairMachine(teamId: string): Promise<string> {
    const { access_token } = await stage.logIn(await stage.openVisitor('ada'));
    const json = { 'Content-Type': 'application/json' };
    const response = await stage.ask(`/teams/${teamId}/pairing-codes`, access_token, {
      method: 'POST',
      headers: json,
      body: '{}',
    });
    const { code } = await response.json();
    const reply = await stage.cloud.ask('/pair', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ code, name: 'ada-mac', homeId: 'home1' }),
    });
    return (await reply.json()).token;
  }

  const openProposals = async (name: string): Promise<Page> => {
    const page = await (await browser.newContext(toContextOptions(look))).newPage();
    await page.goto(`${stage.cloud.publicUrl}/t/acme/`);
    await page.getByLabel('Email').fill(`${name}@svc.example`);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL('**/t/acme/**');
    await page.goto(`${stage.cloud.publicUrl}/t/acme/#/proposals`);
    await page.getByText('Say how to build.').first().click();
    return page;
  };

  test('what a machine of Ada proposes, Ben approves and applies (CLD-3, INT-8)', async () => {
    const teamId = await stage.addTeam('acme');
    await stage.addPerson('ada', 'owner', teamId);
    await stage.addPerson('ben', 'member', teamId);
    const machine = new ProposalClient(stage.cloud, await pairMachine(teamId));
    const files = [{ path: 'memory/build.md', base: null, text: 'npm run build\n' }];
    const reply = await machine.send(toProposalId('build'), toSentProposal(files));
    assert.ok(reply.status < 300, JSON.stringify(reply.body));

    const ben = await openProposals('ben');
    await ben.getByRole('button', { name: 'Approve …' }).click();
    const dialog = ben.getByRole('dialog');
    for (const box of await dialog.getByRole('checkbox').all()) await box.check();
    assert.equal(await axeFaults(ben), []);
    await picture(ben, `team-proposal-${look.name}`);
    await dialog.getByRole('button', { name: 'Approve and apply' }).click();
    // In a narrow window the list is behind the proposal.
    await ben.getByText('applied', { exact: true }).first().waitFor({ state: 'attached' });
    const { body } = await machine.ofRunner('GET', '/overlay');
    assert.equal(
      [body.version, body.files.map(({ path }: { path: string }) => path)],
      [1, ['memory/build.md']],
    );
  });
}

test.run();
