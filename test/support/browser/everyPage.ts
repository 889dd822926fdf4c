import { closePage } from './closePage.ts';
import { DashboardStage } from './dashboardStage.ts';
import { CAMPAIGN_PROGRAMS, haltedCampaign } from '../charts/haltingCampaign.ts';
import { axeFaults, toContextOptions, type Look, picture } from './pageChecks.ts';
import { PATIENCE_MS } from '../inTime.ts';

const FAILS = 'process.exit(3);';
const WORKS =
  'console.log("[control] at work"); await new Promise(() => setInterval(() => {}, 1000));';

/** A page, its address, and a selector of what it has when it is complete. */
type PageToSee = readonly [name: string, hash: string, shows: string];

export async function openEveryPage(): Promise<{
  stage: DashboardStage;
  pages: readonly PageToSee[];
}> {
  const stage = await DashboardStage.open({ ...CAMPAIGN_PROGRAMS, fails: FAILS, works: WORKS });
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
  // Enough jobs for the question whether the learning phase is over; the runner writes its own count once a minute.
  const { etag } = await stage.client.config();
  const schedule = {
    name: 'leap-day',
    cron: '0 3 29 2 *',
    workflow: 'workflows/works.md',
    params: { repoSlug: 'titles', description: 'Check the calendar' },
  };
  await stage.client.updateConfig(
    { coachMode: { graduateAfterRuns: 1, totalRuns: 1 }, schedules: [schedule] },
    etag,
  );
  const pages: readonly PageToSee[] = [
    ['jobs', '#/jobs', '.job-row'],
    ['no-job-fits', '#/jobs?q=no-such-job', '.empty'],
    ['graduation', '#/jobs', '.graduation'],
    ['board', '#/board', '.board-card'],
    ['inbox', '#/inbox', '.inbox-row'],
    ['inbox-plan', `#/inbox/${waiting}`, '.inbox-open .markdown .slice > *'],
    ['inbox-halted', `#/inbox/${halted}`, '.inbox-open button:has-text("Rerun worker")'],
    ['job', `#/jobs/${job}`, '.timeline li'],
    ['job-approval', `#/jobs/${waiting}`, '.plan .markdown .slice > *'],
    ['job-failed', `#/jobs/${failed}`, '.ask .said'],
    ['job-working', `#/jobs/${working}`, '.messages textarea'],
    ['guardrails', '#/guardrails', '.guardrail-row strong'],
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
    ['setup', '#/setup?step=scm', '.set-up input'],
    ['plan', '#/plan', '.run-dispatch'],
    ['workflows', '#/workflows', '.drawing .graph-svg .node'],
    ['workflows-agent', '#/workflows/agents/coder.md', '.layer-choice'],
    ['schedules', '#/schedules', '.schedule'],
    ['notifications', '#/notifications', '#this-browser'],
    ['statistics', '#/statistics', '#throughput'],
    ['report', '#/report?since=24h', '.report-row'],
    ['ratings', '#/ratings', '#track-record'],
    ['insights', '#/insights', '.insight-rows li'],
    ['budgets', '#/budgets', '#set-cap'],
    ['proposals', '#/proposals', '.empty'],
    ['plugins', '#/plugins', '.plugins-page h1'],
    ['settings', '#/settings', '.settings-page input'],
    ['compare', `#/compare/${job}/${failed}`, '.compare-page table'],
    ['audit', '#/audit', '.audit-table tbody tr'],
    ['machines', '#/machines', '.chart svg .node'],
    ['machines-workflow', '#/machines/workflows%2Fjob.md', '.chart svg .node'],
    ['missing', '#/nowhere', '.empty'],
  ];
  return { stage, pages };
}

/** What axe finds on each page, and how far it is wider than the window; keeps a picture of each. */
export async function faultsOfPages(
  stage: DashboardStage,
  pages: readonly PageToSee[],
  look: Look,
): Promise<string[]> {
  const page = await stage.page('#/jobs', toContextOptions(look));
  const faults: string[] = [];
  const check = async (name: string) => {
    faults.push(...(await axeFaults(page)).map((fault) => `${name}: ${fault}`));
    await picture(page, `${name}-${look.name}`);
  };
  for (const [name, hash, shows] of pages) {
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
    const isShown = await page
      .locator(shows)
      .first()
      .waitFor({ timeout: PATIENCE_MS })
      .then(
        () => true,
        () => false,
      );
    if (!isShown) faults.push(`${name}: ${shows} did not come`);
    await check(name);
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('option').first().waitFor();
  await check('palette');
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await check('help');
  await closePage(page);
  return faults;
}
