import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { CountingHands } from '../support/browser/countingHands.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { findOpened, title } from '../support/browser/inboxPage.ts';

const test = suite('browser: how many clicks and keys a task takes');

const PLANS = `tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# In one step' });`;
const FAILS = `throw new Error('the registry does not answer');`;

if (hasBrowser('tasks in Chromium')) {
  const stage = await DashboardStage.open({ plans: PLANS, fails: FAILS });
  test.after(() => stage.close());

  const openJob = async (workflow: string, description: string) => {
    const id = await stage.job(workflow, description);
    await stage.until(id, ({ needs }) => needs !== null);
    const page = await stage.page(`#/inbox/${id}`);
    await title(page).getByText(description).waitFor();
    return { id, hands: new CountingHands(page) };
  };
  const openPage = async (hash: string) => new CountingHands(await stage.page(hash));

  test('to approve a plan takes at most 3, and to reject it with a comment 2 (UI-1)', async () => {
    const { id, hands } = await openJob('plans', 'Move the list');
    const { page } = hands;
    await findOpened(page).getByText('In one step').waitFor();
    await hands.press('r');
    await page.keyboard.type('Smaller steps');
    await hands.press('Control+Enter');
    await stage.until(id, ({ phases, approval }) => phases.length === 2 && approval !== null);
    assert.ok(hands.count <= 2, `reject: ${hands.count}`);

    await page.reload();
    await findOpened(page).getByText('In one step').waitFor();
    hands.count = 0;
    await hands.press('a');
    await page.getByRole('dialog').waitFor();
    await hands.press('Enter');
    await stage.until(id, ({ approval }) => approval === null);
    assert.ok(hands.count <= 3, `approve: ${hands.count}`);
    await closePage(page);
  });

  test('to run a failed phase again takes 1 (UI-1)', async () => {
    const { id, hands } = await openJob('fails', 'Upgrade');
    await hands.click(findOpened(hands.page).getByRole('button', { name: 'Resume' }));
    await stage.until(id, ({ phases }) => phases.length === 2);
    assert.is(hands.count, 1);
    await closePage(hands.page);
  });

  test('to compare two runs takes 4 from anywhere (UI-1)', async () => {
    for (const name of ['Run one', 'Run two'])
      await stage.until(await stage.job('fails', name), ({ ended }) => ended);
    const hands = await openPage('#/inbox');
    const { page } = hands;
    await hands.click(page.getByRole('link', { name: 'Jobs', exact: true }));
    await hands.click(page.getByLabel('Select Run one'));
    await hands.click(page.getByLabel('Select Run two'));
    await hands.click(page.getByRole('link', { name: 'Compare' }));
    await page.getByRole('region', { name: 'Both jobs', exact: true }).waitFor();
    assert.ok(hands.count <= 4, `${hands.count}`);
    await closePage(page);
  });

  test('the cost by repository of this week takes 4 from anywhere (UI-1)', async () => {
    const hands = await openPage('#/inbox');
    const { page } = hands;
    await hands.click(page.getByRole('link', { name: 'Statistics' }));
    await hands.click(page.getByRole('button', { name: '7 days' }));
    await hands.choose(page.getByRole('combobox', { name: 'by' }), 'repository');
    await page.getByRole('region', { name: 'Cost by repository' }).waitFor();
    assert.ok(hands.count <= 4, `${hands.count}`);
    assert.equal(stage.problems, []);
    await closePage(page);
  });
}

test.run();
