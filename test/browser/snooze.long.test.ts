import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { row, title } from '../support/browser/inboxPage.ts';
import { axeFaults } from '../support/browser/pageChecks.ts';

const test = suite('browser: items of the inbox that are put off or filtered out');

const ESCALATES = `tool('escalate', { message: 'There is nothing to fix.' });`;

if (hasBrowser('the snooze in Chromium')) {
  const stage = await DashboardStage.open({ escalates: ESCALATES, gives: ESCALATES });
  test.after(() => stage.close());

  test('h puts an item off in every tab until a person wakes it; the list can be filtered (UI-1)', async () => {
    const startEscalated = async (workflow: string, name: string, reviewers: string[]) => {
      const id = await stage.job(workflow, name, { reviewers });
      await stage.until(id, ({ needs }) => needs !== null);
      return id;
    };
    // One after another: the item that waits longest is the first.
    const ids = [
      await startEscalated('escalates', 'First', []),
      await startEscalated('gives', 'Second', ['ada']),
    ];
    const page = await stage.page('#/inbox');
    const other = await stage.page('#/inbox');
    await title(page).getByText('First').waitFor();
    await row(other, 'First').waitFor();

    await page.keyboard.press('h');
    await page.getByRole('button', { name: 'For 1 hour' }).click();
    await page.getByText(/Snoozed until \d\d:\d\d\./).waitFor();
    // The next item opens as after an answer.
    await title(page).getByText('Second').waitFor();
    for (const one of [page, other]) {
      await row(one, 'First').waitFor({ state: 'detached' });
      await one.waitForFunction(() => document.title.startsWith('(1) '));
    }
    const { needs, snoozed } = await stage.client.job(ids[0] ?? '');
    assert.equal([needs, snoozed?.ask], [null, 'escalated']);
    const counts = await stage.client.jobCounts();
    assert.equal([counts.needs.me, counts.needs.snoozed], [1, 1]);

    await other.getByText('Snoozed 1').click();
    await other.locator('.snoozed a', { hasText: 'First' }).click();
    await other.getByText(/Snoozed until .*, or until the job changes/).waitFor();
    assert.equal(await axeFaults(other), []);
    await other.getByRole('button', { name: 'Wake' }).click();
    await row(page, 'First').waitFor();

    await page.getByLabel('Workflow').selectOption('workflows/gives.md');
    await row(page, 'First').waitFor({ state: 'detached' });
    await row(page, 'Second').waitFor();
    await page.reload();
    await row(page, 'Second').waitFor();
    assert.is(await row(page, 'First').count(), 0, 'the filter is kept');
    await page.getByLabel('Workflow').selectOption('');
    await row(page, 'First').waitFor();
    await page.getByLabel('Person').selectOption('ada');
    await row(page, 'First').waitFor({ state: 'detached' });
    await page.reload();
    await row(page, 'Second').waitFor();
    assert.is(await row(page, 'First').count(), 0, 'and so is whose items are shown');
    assert.equal(stage.problems, []);
  });
}

test.run();
