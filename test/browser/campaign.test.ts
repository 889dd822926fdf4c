import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { CAMPAIGN_PROGRAMS, haltedCampaign } from '../support/charts/haltingCampaign.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';

const test = suite('browser: campaigns');

if (hasBrowser('campaigns in Chromium')) {
  const stage = await DashboardStage.open(CAMPAIGN_PROGRAMS);
  test.after(() => stage.close());

  test('a halted campaign: the effects of a rerun are shown first, then it runs, and the graph follows (UI-4)', async () => {
    const id = await haltedCampaign(stage, 'Orders, and reminders of them');
    const page = await stage.page(`#/jobs/${id}`);
    await page
      .getByRole('navigation', { name: 'Sections of this job' })
      .getByRole('link', { name: /^Campaign/ })
      .click();
    await page.locator('.graph-svg .node').first().waitFor();
    assert.is(await page.locator('.graph-svg .node').count(), 4);
    await page.getByText('total is a string now').waitFor();
    assert.ok((await page.locator('.edge.critical').count()) >= 1);

    await page
      .locator('.graph-svg')
      .getByRole('button', { name: /Sub-run worker, failed/ })
      .click();
    await page.getByRole('button', { name: 'Rerun …' }).click();
    await page.getByText(/^worker: failed → /).waitFor();
    const { subRuns: before } = await stage.client.campaign(id);
    assert.is(before.find(({ name }) => name === 'worker')?.status, 'failed');
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `${width} ${colorScheme}`);
      await picture(page, `campaign-what-if-${width}-${colorScheme}`);
    }

    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel('Params to change, as JSON').fill('{ "broken": false }');
    await page.getByRole('button', { name: 'Run it again' }).click();
    await page
      .locator('.graph-svg')
      .getByRole('button', { name: /Sub-run release, complete/ })
      .waitFor();
    await page.getByText('4 complete').waitFor();
    const { subRuns } = await stage.client.campaign(id);
    assert.equal(
      subRuns.map(({ name, status, attempt }) => `${name} ${status} ${attempt}`),
      ['schema complete 1', 'store complete 1', 'worker complete 2', 'release complete 1'],
    );
    assert.equal(stage.problems, []);
    await page.context().close();
  });

  test('an action that is not possible now is refused before it is sent, and its button is disabled', async () => {
    const { jobs } = await stage.client.jobs({ type: 'job' });
    const parent = jobs.find(({ workflowPath }) => workflowPath === 'workflows/cut.md');
    assert.ok(parent);
    await stage.until(parent.id, ({ ended }) => ended);
    // Only a cancelled campaign does not take a sub-run back.
    await stage.client.rerunSubRun(parent.id, 'worker');
    await stage.client.cancel(parent.id);
    await stage.until(parent.id, ({ status }) => status === 'cancelled');
    const page = await stage.page(`#/jobs/${parent.id}/campaign`);
    await page
      .locator('.graph-svg')
      .getByRole('button', { name: /Sub-run store, complete/ })
      .click();
    await page.getByRole('button', { name: 'Rerun …' }).click();
    await page.getByText(/^Not possible now: /).waitFor();
    assert.is(await page.getByRole('button', { name: 'Run it again' }).isDisabled(), true);
    assert.equal(stage.problems, []);
    await page.context().close();
  });
} else {
  test('LEFT OUT: there is no browser', () => assert.ok(true));
}

test.run();
