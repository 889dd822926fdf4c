import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { CAMPAIGN_PROGRAMS, haltedCampaign } from '../support/charts/haltingCampaign.ts';

const test = suite('browser: what needs a person');

/** Shows a plan and waits for approval; each session repeats its prompt. */
const PLANS = `
import { readFileSync } from 'node:fs';
const reported = readFileSync(process.env.SVC_SESSION_DIR + '/kickoff.md', 'utf8');
const again = reported.includes('Smaller steps');
tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: again ? '# In small steps' : '# In one step' });
`;
const ESCALATES = `tool('escalate', { message: 'There is nothing to fix.' });`;

if (hasBrowser('the inbox in Chromium')) {
  const stage = await DashboardStage.open({
    ...CAMPAIGN_PROGRAMS,
    plans: PLANS,
    escalates: ESCALATES,
  });
  test.after(() => stage.close());

  test('a plan is sent back with a request, comes again, and is approved, without leaving the inbox (UI-1)', async () => {
    // The workflow's name begins with "plan", which gives it a checkpoint.
    const page = await stage.page('#/inbox');
    await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    const id = await stage.job('plans', 'Move the price list');
    const item = page.locator('.inbox-item', { hasText: 'Move the price list' });
    await item.getByText('In one step').waitFor();
    assert.is(await page.title(), '(1) Needs you · svc');

    await item.getByLabel('What should change?').fill('Smaller steps, please.');
    await item.getByRole('button', { name: 'Request changes' }).click();
    await item.getByText('In small steps').waitFor();
    assert.is((await stage.client.job(id)).phases.length, 2);

    await item.getByText('Approved as').waitFor();
    await item.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    assert.is(await page.title(), 'Needs you · svc');
    assert.is((await stage.client.job(id)).phases[1]?.approvedBy, 'login');
    await page.context().close();
  });

  test('a plan that was changed after it was read is not approved: the person is notified and sees the new one', async () => {
    const id = await stage.job('plans', 'Changed meanwhile');
    await stage.until(id, ({ parked }) => parked?.kind === 'approval');
    const page = await stage.page('#/');
    // The page shows the plan of before for as long as it hears nothing of the runner.
    await page.route('**/jobs/stream', (route) => route.abort());
    await page.goto('about:blank');
    await page.goto(`${stage.runner.url}/dashboard/#/inbox`);
    const item = page.locator('.inbox-item', { hasText: 'Changed meanwhile' });
    await item.getByText('In one step').waitFor();
    await stage.client.message(id, { message: 'Smaller steps' });
    await stage.until(
      id,
      ({ parked, phases }) => parked?.kind === 'approval' && phases.length === 2,
    );
    await item.getByRole('button', { name: 'Approve' }).click();
    await page.locator('.toast.error', { hasText: 'has changed since' }).waitFor();
    await item.getByText('In small steps').waitFor();
    assert.is((await stage.client.job(id)).parked?.kind, 'approval');
    await page.context().close();
  });

  test('an escalation says why, and can be dismissed for good in this browser (UI-1)', async () => {
    stage.problems.length = 0;
    const id = await stage.job('escalates', 'Fix what works');
    await stage.until(id, ({ ended }) => ended);
    const page = await stage.page('#/inbox');
    const item = page.locator('.inbox-item', { hasText: 'Fix what works' });
    await item.getByText('There is nothing to fix.').waitFor();
    await item.getByRole('button', { name: 'Dismiss' }).click();
    await item.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.inbox-item', { hasText: 'Changed meanwhile' }).waitFor();
    assert.is(await item.count(), 0);
    assert.equal(stage.problems, []);
    await page.context().close();
  });

  test('a halted campaign names the sub-run that failed and why; skipping it lets the campaign continue (UI-1, UI-4)', async () => {
    stage.problems.length = 0;
    const page = await stage.page('#/inbox');
    const id = await haltedCampaign(stage, 'Orders, and reminders');
    const item = page.locator('.inbox-item', { hasText: 'Orders, and reminders' });
    await item.locator('.pill', { hasText: 'Campaign halted' }).waitFor();
    await item.getByText('The campaign needs a decision').waitFor();
    await item.getByRole('button', { name: 'Rerun worker' }).waitFor();
    await item.getByRole('button', { name: 'Skip worker' }).click();
    await item.waitFor({ state: 'detached' });
    await stage.until(id, ({ status }) => status === 'complete');
    const { subRuns } = await stage.client.campaign(id);
    assert.equal(
      subRuns.map(({ name, status }) => [name, status]),
      [
        ['schema', 'complete'],
        ['store', 'complete'],
        ['worker', 'skipped'],
        ['release', 'complete'],
      ],
    );
    assert.equal(stage.problems, []);
    await page.context().close();
  });
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('the inbox in Chromium'));
  });
}

test.run();
