import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { CAMPAIGN_PROGRAMS, haltedCampaign } from '../support/charts/haltingCampaign.ts';
import { axeFaults, LOOKS, PICTURES, picture } from '../support/browser/pageChecks.ts';

const test = suite('browser: everybody can use it');

const FAILS = 'process.exit(3);';
const WORKS =
  'console.log("[control] at work"); await new Promise(() => setInterval(() => {}, 1000));';

if (hasBrowser('axe in Chromium')) {
  const stage = await DashboardStage.open({ ...CAMPAIGN_PROGRAMS, fails: FAILS, works: WORKS });
  test.after(() => stage.close());

  const job = await stage.job(
    'job',
    'The tests of this repository fail. Find out why and fix it.',
    { reviewers: ['reviewer'] },
  );
  const planned = await stage.until(job, ({ parked }) => parked?.kind === 'approval');
  await stage.client.resume(job, {
    eventKey: 'approve',
    ...(planned.approval?.shown ? { shown: planned.approval.shown } : {}),
  });
  await stage.until(job, ({ parked }) => parked?.kind === 'event');
  const waiting = await stage.job('job', 'Waits for approval', { reviewers: ['reviewer'] });
  await stage.until(waiting, ({ parked }) => parked?.kind === 'approval');
  const failed = await stage.job('fails', 'Fails');
  await stage.until(failed, ({ ended }) => ended);
  const working = await stage.job('works', 'Works');
  await stage.until(working, ({ state }) => state.includes('working.inSession'));
  const halted = await haltedCampaign(stage, 'Orders, and reminders of them');
  // Enough jobs for the question whether the learning phase is over.
  const { etag } = await stage.client.config();
  await stage.client.updateConfig({ coachMode: { graduateAfterRuns: 1 } }, etag);
  const PAGES: readonly (readonly [name: string, hash: string, shows: string])[] = [
    ['jobs', '#/jobs', '.job-row'],
    ['no-job-fits', '#/?q=nothing', '.empty'],
    ['graduation', '#/jobs', '.graduation'],
    ['board', '#/board', '.board-card'],
    ['inbox', '#/inbox', '.inbox-row'],
    ['inbox-plan', `#/inbox/${waiting}`, '.inbox-open .markdown .slice > *'],
    ['inbox-halted', `#/inbox/${halted}`, '.inbox-open button:has-text("Rerun worker")'],
    ['job', `#/jobs/${job}`, '.timeline li'],
    ['job-approval', `#/jobs/${waiting}`, '.plan .markdown .slice > *'],
    ['job-failed', `#/jobs/${failed}`, '.ask .said'],
    ['job-working', `#/jobs/${working}`, '.messages textarea'],
    ['job-log', `#/jobs/${job}/log`, '.log-row'],
    ['job-chart', `#/jobs/${job}/chart`, '.chart svg .node'],
    ['job-changes', `#/jobs/${job}/changes`, '.diff-file tr.added'],
    ['job-artefacts', `#/jobs/${job}/artefacts`, '.markdown .slice > *'],
    ['job-journal', `#/jobs/${job}/journal`, '.journal-row'],
    ['campaign', `#/jobs/${halted}/campaign`, '.graph-svg .node'],
    ['campaign-halted', `#/jobs/${halted}`, '.asked button:has-text("Skip worker")'],
    ['job-missing', '#/jobs/nowhere', '.problem'],
    ['dispatch', '#/new', 'textarea'],
    ['dispatch-again', `#/new?from=${job}`, 'textarea'],
    ['workflows', '#/workflows', '.drawing .graph-svg .node'],
    ['workflows-agent', '#/workflows/agents/coder.md', '.layer-choice'],
    ['machines', '#/machines', '.chart svg .node'],
    ['machines-workflow', '#/machines/workflows%2Fjob.md', '.chart svg .node'],
    ['missing', '#/nowhere', '.empty'],
  ];

  for (const { width, colorScheme } of LOOKS) {
    test(`axe finds nothing on any page, and none is wider than the window: ${width} px, ${colorScheme} (UI-1)`, async () => {
      const page = await stage.page('#/jobs', {
        viewport: { width, height: width === 360 ? 760 : 860 },
        colorScheme,
      });
      const faults: string[] = [];
      const look = async (name: string) => {
        faults.push(...(await axeFaults(page)).map((fault) => `${name}: ${fault}`));
        await picture(page, `${name}-${width}-${colorScheme}`);
      };
      for (const [name, hash, shows] of PAGES) {
        await page.evaluate((to) => {
          location.hash = to;
        }, hash);
        const isShown = await page
          .locator(shows)
          .first()
          .waitFor({ timeout: 10_000 })
          .then(
            () => true,
            () => false,
          );
        if (!isShown) faults.push(`${name}: ${shows} did not come`);
        await look(name);
      }
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('option').first().waitFor();
      await look('palette');
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      await look('help');
      assert.equal(faults, []);
      await page.context().close();
    });
  }

  test('the pages caused no error in the console and no request to other servers', () => {
    // The job that is not there is asked for on purpose.
    assert.equal(
      stage.problems.filter((problem) => !/status of 404/.test(problem)),
      [],
    );
    console.log(`note: pictures of every page are in ${PICTURES}`);
  });
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('axe in Chromium'));
  });
}

test.run();
