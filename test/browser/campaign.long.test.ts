import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { CAMPAIGN_PROGRAMS, haltedCampaign } from '../support/charts/haltingCampaign.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: campaigns');
const long = longLane(test);

/** Scale of the picture in percent, and whether all of it is in its box. */
const measurePicture = (page: Page) =>
  page.evaluate(() => {
    const box = document.querySelector('.graph-scroll');
    const scale = Number.parseInt(
      document.querySelector('.graph-zoom output')?.textContent ?? '',
      10,
    );
    return {
      scale,
      whole:
        box !== null &&
        box.scrollWidth <= box.clientWidth + 1 &&
        box.scrollHeight <= box.clientHeight + 1,
    };
  });

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
    const ways = page.getByRole('complementary', { name: 'Selection' }).locator('.chart-way');
    assert.match((await ways.first().textContent()) ?? '', /^worker failed/);
    const picture0 = await measurePicture(page);
    assert.ok(picture0.scale >= 80, `readable: ${picture0.scale} %`);
    assert.ok(picture0.whole, 'the whole graph is in view');

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
    await page.getByLabel('broken').uncheck();
    // What happens to another sub-run closes nothing that a person is at.
    await stage.client.skipSubRun(id, 'release', {});
    await page.getByRole('button', { name: /Sub-run release, skipped/ }).waitFor();
    await stage.client.unskipSubRun(id, 'release', {});
    await page.getByRole('button', { name: /Sub-run release, pending/ }).waitFor();
    assert.is(await page.getByLabel('broken').isChecked(), false);
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
    await closePage(page);
  });

  long('what failed is run again with two keys, and with two taps on a phone (UI-4)', async () => {
    const id = await haltedCampaign(stage, 'Again and again');
    const page = await stage.page(`#/jobs/${id}/campaign`);
    await page.getByRole('button', { name: 'Rerun the failed sub-run …' }).waitFor();
    await page.keyboard.press('r');
    await page.getByRole('dialog').getByText('Rerun the failed sub-run?').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('worker runs again.').waitFor();
    const halted = (attempt: number) =>
      stage.until(
        id,
        ({ parked, subRuns }) =>
          parked?.kind === 'halted' &&
          subRuns.some(
            (one) => one.name === 'worker' && one.attempt === attempt && one.status === 'failed',
          ),
      );
    await halted(2);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Rerun the failed sub-run …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rerun 1' }).click();
    await halted(3);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long(
    'a skip is undone with one key; an accepted failure ends as complete in part, in amber (SUB-4, SUB-6)',
    async () => {
      const id = await haltedCampaign(stage, 'A part of it will do');
      const page = await stage.page(`#/jobs/${id}/campaign`);
      const graph = page.locator('.graph-svg');
      await graph.getByRole('button', { name: /Sub-run release, pending/ }).click();
      await page.getByRole('button', { name: 'Skip …' }).click();
      await page.getByText('You can undo it until').waitFor();
      await page.getByRole('button', { name: 'Skip it' }).click();
      await graph.getByRole('button', { name: /Sub-run release, skipped/ }).waitFor();
      await page.locator('.graph-scroll').focus();
      await page.keyboard.press('z');
      await graph.getByRole('button', { name: /Sub-run release, pending/ }).waitFor();

      await graph.getByRole('button', { name: /Sub-run worker, failed/ }).click();
      await page.getByRole('button', { name: 'Accept failure …' }).click();
      await page.getByText('the campaign brings the results together').waitFor();
      await page.getByRole('button', { name: 'Accept the failure' }).click();
      await page
        .locator('.campaign-standing.partial')
        .filter({ hasText: 'Complete, 1 sub-run failed' })
        .waitFor();
      assert.is((await stage.client.job(id)).status, 'complete');
      // What a person has accepted no longer needs one.
      const worker = (await stage.client.campaign(id)).subRuns.find(
        ({ name }) => name === 'worker',
      );
      assert.is((await stage.client.job(worker?.jobId ?? '')).needs, null);
      await picture(page, 'campaign-complete-in-part');
      assert.equal(stage.problems, []);
      await closePage(page);
    },
  );

  long(
    'statistics show what came of the jobs, as pictures with their numbers as tables',
    async () => {
      const page = await stage.page('#/statistics');
      const table = page.getByRole('region', { name: 'Outcomes by workflow' });
      const row = (workflow: string) =>
        table
          .getByRole('row')
          .filter({ has: page.getByText(workflow) })
          .getByRole('cell');
      await row('workflows/cut.md').first().waitFor();
      const { workflows, days } = await stage.client.statistics({
        offset: -new Date().getTimezoneOffset(),
      });
      for (const { workflow, complete, partial, failed, cancelled } of workflows) {
        const cells = await row(workflow).allTextContents();
        assert.equal(
          cells.slice(2, 6).map(Number),
          [complete, partial, failed, cancelled],
          workflow,
        );
      }
      assert.equal(
        workflows.map(({ workflow }) => workflow),
        ['workflows/does.md', 'workflows/cut.md'],
      );
      assert.is(
        days.reduce((sum, day) => sum + day.partial, 0),
        1,
      );
      await page.getByRole('img', { name: /^Jobs that ended, by day\. / }).waitFor();
      for (const { width, colorScheme } of LOOKS) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        assert.equal(await axeFaults(page), [], `${width} ${colorScheme}`);
        await picture(page, `statistics-${width}-${colorScheme}`);
      }
      const request = page.waitForRequest(/\/statistics\?days=7/);
      await page.getByRole('button', { name: '7 days' }).click();
      await request;
      assert.equal(stage.problems, []);
      await closePage(page);
    },
  );

  long(
    'an action that is not possible now is refused before it is sent, and its button is disabled',
    async () => {
      const { jobs } = await stage.client.jobs({ type: 'job' });
      const parent = jobs.find(({ description }) => description.startsWith('A part of it'));
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
      await closePage(page);
    },
  );
} else {
  test('LEFT OUT: there is no browser', () => assert.ok(true));
}

test.run();
