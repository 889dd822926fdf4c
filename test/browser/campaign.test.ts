import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DashboardStage, hasBrowser } from '../support/dashboardStage.ts';

const test = suite('browser: campaigns');

const ROOT = join(import.meta.dirname, '..', '..');
/** Pictures for people to look at; not committed. */
const PICTURES = join(ROOT, 'node_modules/.cache/svc/screenshots');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const AXE = readFileSync(join(ROOT, 'node_modules/axe-core/axe.min.js'), 'utf8');

async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

/** Cuts its work into a diamond; the sub-run `worker` fails while its params say so. */
const PLANS = `
const register = (name, description, dependsOn = [], params = {}) => tool('register_sub_run', { name, description, dependsOn, params });
register('schema', 'The shapes that everybody shares');
register('store', 'Keep orders in the store', ['schema']);
register('worker', 'Send reminders once a day', ['schema'], { broken: true });
register('release', 'Put it together', ['store', 'worker']);
tool('finalize_sub_runs');
`;
const DOES = `
import { readFileSync } from 'node:fs';
const prompt = readFileSync(process.env.SVC_SESSION_DIR + '/system.md', 'utf8');
if (/"broken": *true/.test(prompt)) throw new Error('the mail server is not known');
if (/shapes/.test(prompt)) tool('add_insight', { category: 'contract-drift', text: 'total is a string now' });
`;
const SUMS = "console.log('all in one');";

const WORKFLOW = `---
id: cut
initial_phase: planning
phases:
  - { name: planning, agent: agents/cuts.md, status: cutting }
  - { name: waiting, agent: null, status: awaiting-sub-runs }
  - { name: summing, agent: agents/sums.md, status: summing }
coordinator: { enabled: true, parkPhase: waiting, resumePhase: summing, subRunWorkflowPath: workflows/does.md, maxParallelSubRuns: 2 }
createParams: { required: [repo, description], optional: [] }
---

A campaign.
`;
/** Without a phase that waits: a sub-run is complete when its agent is. */
const PART = `---
id: does
initial_phase: doing
phases:
  - { name: doing, agent: agents/does.md, status: doing }
createParams: { required: [repo, description], optional: [] }
---

A part.
`;

if (hasBrowser('campaigns in Chromium')) {
  const stage = await DashboardStage.open({ cuts: PLANS, does: DOES, sums: SUMS });
  test.after(() => stage.close());
  mkdirSync(PICTURES, { recursive: true });
  writeFileSync(join(stage.dir, 'tenant/workflows/cut.md'), WORKFLOW);
  writeFileSync(join(stage.dir, 'tenant/workflows/does.md'), PART);

  test('a campaign that halted: what a rerun would change is shown first, then it is done, and the graph follows (UI-4)', async () => {
    const id = await stage.job('cut', 'Orders, and reminders of them');
    await stage.until(id, ({ parked }) => parked?.kind === 'halted');
    const page = await stage.page(`#/jobs/${id}`);
    await page
      .getByRole('navigation', { name: 'Of this job' })
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
    for (const [width, colorScheme] of [
      [1280, 'light'],
      [1280, 'dark'],
      [360, 'light'],
      [360, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `${width} ${colorScheme}`);
      await page.screenshot({ path: join(PICTURES, `campaign-what-if-${width}-${colorScheme}.png`) });
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

  test('what cannot be done now is refused before it is done, and the button says so', async () => {
    const { jobs } = await stage.client.jobs({ type: 'job' });
    const parent = jobs.find(({ workflowPath }) => workflowPath === 'workflows/cut.md');
    assert.ok(parent);
    await stage.until(parent.id, ({ ended }) => ended);
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
