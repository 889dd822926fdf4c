import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readOwnHomeId } from '../../src/host/backup/homeRecord.ts';
import { CHROMIUM, hasBrowser } from '../support/browser/dashboardStage.ts';
import { closePage } from '../support/browser/closePage.ts';
import { LOOKS, picture, toContextOptions } from '../support/browser/pageChecks.ts';
import { postgresPrograms } from '../support/cloud/openTestDatabase.ts';
import { PASSWORD, PeopleStage } from '../support/cloud/peopleStage.ts';
import { seedOverlay } from '../support/cloud/seedOverlay.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { PRELUDE, Story } from '../support/story.ts';

const test = suite('browser: a proposal goes from one machine through a person to another machine');

const ROOT = join(import.meta.dirname, '..', '..');
const DASHBOARD = process.env.SVC_TEST_DASHBOARD ?? join(ROOT, 'dist', 'ui');

if (!existsSync(join(DASHBOARD, 'index.html')))
  throw new Error('The dashboard is not built: npm run build');

const WORKFLOW = `---
initial_phase: proposing
phases:
  - { name: proposing, agent: agents/proposes.md, status: planning, interactive_checkpoint: true }
  - { name: working, agent: agents/works.md, status: coding }
---

A story.
`;
const toAgent = (program: string) =>
  `---\ndescription: ${program}\ncommand: [node, '{layer}/programs/${program}.mjs']\n---\n\nThe program ${program}.\n`;

/** Proposes an agent that runs another program, and a phase that uses it. */
const PROPOSES = `
const { workflow, agent } = ${JSON.stringify({
  workflow: WORKFLOW.replace('agents/works.md', 'agents/better.md'),
  agent: toAgent('better'),
})};
if (kickoff.includes('propose something')) tool('propose_change', {
  kind: 'workflow',
  description: 'Another program is better.',
  files: [{ path: 'workflows/story.md', text: workflow }, { path: 'agents/better.md', text: agent }],
});
tool('goto_phase', { phase: 'working' });
`;

const OVERLAY = {
  'workflows/story.md': WORKFLOW,
  'agents/proposes.md': toAgent('proposes'),
  'agents/works.md': toAgent('works'),
  'programs/proposes.mjs': `${PRELUDE}${PROPOSES}`,
  'programs/works.mjs': `${PRELUDE}tool('log', { message: 'the old program' });`,
  'programs/better.mjs': `${PRELUDE}tool('log', { message: 'the better program' });`,
};

/** Runs the built program on the machine of a story. Gives what it prints. */
function runSvc({ home, dir }: Story, ...args: string[]): Promise<{ code: number; text: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'cli/bin/run.js'), ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: dir, SVC_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      text += String(part);
    });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code: code ?? -1, text })));
}

if (postgresPrograms.length > 0 && hasBrowser('a proposal of a machine')) {
  const stage = await PeopleStage.open({ dashboard: DASHBOARD });
  const stories: Story[] = [];
  const { chromium } = createRequire(import.meta.url)(
    'playwright-core',
  ) as typeof import('playwright-core');
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  test.after(async () => {
    await browser.close();
    for (const story of stories) {
      await story.runner.kill();
      await story.end();
    }
    await stage.close();
  });
  const look = LOOKS.find(({ width }) => width === 1440);
  if (look === undefined) throw new Error('no look');

  /** A machine with a home and a runner of its own, paired by its owner. */
  async function openMachine(teamId: string, owner: string): Promise<Story> {
    const story = new Story({ workflow: WORKFLOW, programs: {}, config: { tenant: {} } });
    stories.push(story);
    await story.runner.start();
    const { access_token } = await stage.logIn(await stage.openVisitor(owner));
    const headers = { 'Content-Type': 'application/json' };
    const response = await stage.ask(`/teams/${teamId}/pairing-codes`, access_token, {
      method: 'POST',
      headers,
      body: '{}',
    });
    const { code } = await response.json();
    const homeId = (await readOwnHomeId(story.home)) ?? '';
    const reply = await stage.cloud.ask('/pair', {
      method: 'POST',
      headers,
      body: JSON.stringify({ code, name: owner, homeId }),
    });
    const { token } = await reply.json();
    await story.client.updateConfig({ cloud: { url: stage.cloud.publicUrl, token } });
    await story.settled(
      async () => (await story.client.health()).cloud?.connection === 'connected',
    );
    return story;
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

  const readTrust = async ({ client }: Story) =>
    (await client.trust()).find(({ repo }) => repo === 'team-overlay')?.state;
  const trust = async (story: Story): Promise<void> => {
    const { code, text } = await runSvc(story, 'trust', 'add', 'team-overlay', '--yes');
    assert.is(code, 0, text);
  };
  const park = async (story: Story, description: string) => {
    const id = await story.job({ description });
    return story.until(id, ({ parked }) => parked?.kind === 'approval');
  };

  test('an agent on machine A proposes, Ben applies it in the browser, and the next phase on machine C uses it once it is trusted there (CLD-3, INT-3, INT-8)', async () => {
    const teamId = await stage.addTeam('acme');
    await stage.addPerson('ada', 'owner', teamId);
    await stage.addPerson('ben', 'member', teamId);
    await stage.addPerson('cyd', 'member', teamId);
    await seedOverlay(stage.cloud.databaseUrl, teamId, OVERLAY);
    const machineA = await openMachine(teamId, 'ada');
    const machineB = await openMachine(teamId, 'ben');
    const machineC = await openMachine(teamId, 'cyd');
    for (const machine of [machineA, machineB, machineC]) {
      assert.is(await readTrust(machine), 'untrusted');
      await trust(machine);
    }
    const waiting = await park(machineC, 'wait for the team');
    const proposing = await park(machineA, 'propose something');

    const ben = await openTeam('ben');
    await ben.goto(`${stage.cloud.publicUrl}/t/acme/#/proposals`);
    await ben.getByText('Another program is better.').first().click();
    const detail = ben.locator('.proposal-detail');
    await detail.getByText('agents/better.md').first().waitFor();
    await picture(ben, `team-proposal-story-${look.name}`);
    await ben.getByRole('button', { name: 'Approve …' }).click();
    const dialog = ben.getByRole('dialog');
    const send = dialog.getByRole('button', { name: 'Approve and apply' });
    assert.ok(await send.isDisabled(), 'what it would run must be accepted');
    for (const box of await dialog.getByRole('checkbox').all()) await box.check();
    await send.click();
    await detail.getByText('applied', { exact: true }).waitFor();
    await closePage(ben);

    for (const machine of [machineA, machineB, machineC])
      await machine.settled(async () => (await readTrust(machine)) === 'changed');
    const output = await runSvc(machineC, 'trust', 'show', 'team-overlay');
    assert.match(output.text, 'agents/better.md');

    const shownHash = { eventKey: 'approve', shown: waiting.approval?.shown ?? '' };
    await machineC.client.resume(waiting.id, shownHash);
    const stopped = await machineC.until(
      waiting.id,
      ({ parked, ended }) => ended || (parked !== null && parked.kind !== 'approval'),
    );
    assert.is(stopped.ended, false, JSON.stringify(stopped));
    await trust(machineC);
    await machineC.client.resume(waiting.id, { eventKey: 'manual-resume' });
    await machineC.until(waiting.id, ({ ended }) => ended);
    const log = await machineC.log(waiting.id);
    assert.ok(log.some((line) => line.includes('the better program')));
    assert.not(log.some((line) => line.includes('the old program')));
    assert.is(await readTrust(machineB), 'changed', 'trust on one machine is not trust on another');
    await machineA.client.cancel(proposing.id, {});
  });
}

test.run();
