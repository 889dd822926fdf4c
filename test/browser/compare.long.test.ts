import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults } from '../support/browser/pageChecks.ts';

const test = suite('browser: two jobs compared, and what is copied or saved');

/** Posts a plan with the title of the job, and gives up. */
const PLANS = `
import { readFileSync } from 'node:fs';
const kickoff = readFileSync(process.env.SVC_SESSION_DIR + '/kickoff.md', 'utf8');
const step = kickoff.includes('Second') ? 'Second step.' : 'First step.';
tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# Plan\\n\\n' + step + '\\n' });
tool('escalate', { message: 'There is nothing to fix.' });
`;

/** Offers the same file, with its own title in it. */
const OFFERS = `
import { readFileSync } from 'node:fs';
const kickoff = readFileSync(process.env.SVC_SESSION_DIR + '/kickoff.md', 'utf8');
const name = kickoff.includes('Other change') ? 'other' : 'one';
git('switch', '--quiet', '-c', 'change-' + name);
writeFileSync('same.txt', 'the same\\n');
writeFileSync('differs.txt', 'first\\n' + name + '\\n');
git('add', '--all'); git('commit', '--quiet', '-m', 'offer');
const pr = tool('local_create_pr', { head: 'change-' + name, title: 'Offer files', body: '' });
tool('await_event', { prId: pr.prId });
`;

if (hasBrowser('the comparison in Chromium')) {
  const stage = await DashboardStage.open({ posts: PLANS, offers: OFFERS, quick: '' });
  test.after(() => stage.close());

  test('two selected jobs are compared: facts, phases and plans; the page can be swapped and chosen from (UI-1)', async () => {
    const ids = [await stage.job('posts', 'First'), await stage.job('posts', 'Second')];
    for (const id of ids) await stage.until(id, ({ needs }) => needs !== null);
    const page = await stage.page('#/jobs');
    await page.getByLabel('Select First').check();
    await page.getByLabel('Select Second').check();
    await page.getByRole('link', { name: 'Compare' }).click();
    const facts = page.getByRole('region', { name: 'Both jobs', exact: true });
    await facts.getByText('First').waitFor();
    await facts.getByRole('row', { name: /^State Escalated/ }).waitFor();
    await page.getByRole('region', { name: 'Time of each phase in both jobs' }).waitFor();
    await page.locator('.plan-diff del', { hasText: 'First step.' }).waitFor();
    await page.locator('.plan-diff ins', { hasText: 'Second step.' }).waitFor();
    assert.equal(await axeFaults(page), []);

    await page.getByRole('link', { name: 'Swap' }).click();
    await page.locator('.plan-diff del', { hasText: 'Second step.' }).waitFor();
    await page.goto(`${new URL(page.url()).origin}/dashboard/#/compare/${ids[0]}`);
    await page.locator('.compare-with a', { hasText: 'Second' }).click();
    await page.locator('.plan-diff ins', { hasText: 'First step.' }).waitFor();
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('a job is compared with the median of the complete jobs of its workflow (UI-1)', async () => {
    const ids = [];
    for (const n of [1, 2, 3]) ids.push(await stage.job('quick', `Run ${n}`));
    for (const id of ids) await stage.until(id, ({ ended }) => ended);
    const page = await stage.page(`#/compare/${ids[0]}`);
    await page
      .getByRole('heading', { name: 'Beside the median of 2 complete jobs of its workflow' })
      .waitFor();
    const table = page.getByRole('region', { name: 'This job and the median' });
    await table.getByRole('columnheader', { name: 'Ratio' }).waitFor();
    assert.ok((await table.locator('tbody tr').count()) > 1);
    assert.equal(await axeFaults(page), []);
    // The path that one of them took lies over the chart of its workflow, with its times.
    await page.goto(`${stage.runner.url}/dashboard/#/jobs/${ids[0]}/chart`);
    await page.getByRole('checkbox', { name: 'Path of this job' }).check();
    await page.getByRole('list', { name: 'Path of this job' }).getByText('work').first().waitFor();
    await page.locator('.graph-svg .trail-note').first().waitFor();
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('a chart is saved as an SVG file that is complete alone, and copied as Mermaid (UI-3)', async () => {
    const page = await stage.page('#/workflows/workflows/posts.md', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.locator('.graph-svg .node').first().waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Save as SVG' }).click();
    const download = await saved;
    assert.match(download.suggestedFilename(), /\.svg$/);
    const svg = readFileSync(await download.path(), 'utf8');
    assert.match(svg, /^<svg .*waiting.*<\/svg>/s);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Copy as Mermaid' }).click();
    await page.getByText('Copied as Mermaid.').waitFor();
    assert.match(
      await page.evaluate(() => navigator.clipboard.readText()),
      /^stateDiagram-v2.*waiting/s,
    );
    await closePage(page);
  });

  test('job and report are copied as Markdown with links (UI-1)', async () => {
    const page = await stage.page('#/report', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const readClipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await page.getByText('Copied as Markdown.').waitFor();
    assert.match(
      await readClipboard(),
      /^## Report, .*### Stopped or failed\n\n- \[(First|Second)\]\(http/s,
    );
    await page.locator('.report-row a').first().click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Copy as Markdown' }).click();
    await page.waitForFunction(async () =>
      (await navigator.clipboard.readText()).startsWith('**['),
    );
    assert.match(await readClipboard(), /#\/jobs\/.*\)\*\*\n\nEscalated/);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('the final diffs of two jobs are compared file by file, and line by line where they differ (UI-1)', async () => {
    const ids = [
      await stage.job('offers', 'One change'),
      await stage.job('offers', 'Other change'),
    ];
    for (const id of ids) await stage.until(id, ({ needs }) => needs?.ask === 'review');
    const page = await stage.page(`#/compare/${ids.join('/')}`);
    const diffs = page.getByRole('region', { name: 'Final diffs' });
    await diffs.getByRole('row', { name: /^same.txt \+1 −0 \+1 −0/ }).waitFor();
    // Numbers, which are neither underlined nor crossed out.
    const lines = await diffs
      .locator('td :is(ins, del)')
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).textDecorationLine));
    assert.equal([...new Set(lines)], ['none']);
    assert.equal(await diffs.locator('tr.differs th').allTextContents(), ['differs.txt']);
    await diffs.getByText('differs.txt').last().click();
    await diffs.locator('del', { hasText: '+one' }).waitFor();
    await diffs.locator('ins', { hasText: '+other' }).waitFor();
    assert.equal(await axeFaults(page), []);
    assert.equal(stage.problems, []);
    for (const id of ids) await stage.client.cancel(id);
    await closePage(page);
  });
}

test.run();
