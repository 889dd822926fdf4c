import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';

const test = suite('browser: the chart as an instrument');

/** A workflow that no reader knows. */
const UNKNOWN = `---
id: unknown
label: Unknown
description: It is new to every reader.
initial_phase: draft
initial_status: drafting
phases:
  - { name: draft, agent: agents/quiet.md, model: planning, status: drafting, interactive_checkpoint: true }
  - { name: build, agent: agents/quiet.md, model: coding, status: building }
  - { name: review-wait, agent: null, status: awaiting-pr-merge }
  - { name: verify, agent: agents/returns.md, status: verifying }
createParams: { required: [repo, description], optional: [] }
---

A workflow.
`;

const toChartHash = (workflow: string) =>
  `#/machines/${encodeURIComponent(`workflows/${workflow}.md`)}`;

/** What a screen reader is given of the drawing. */
async function readDrawing(page: Page): Promise<string> {
  await page.locator('.graph-svg .node.state').first().waitFor();
  return page.locator('.graph-svg').ariaSnapshot();
}

if (hasBrowser('charts as instruments in Chromium')) {
  const stage = await DashboardStage.open({ quick: '', quiet: '' });
  test.after(() => stage.close());
  writeFileSync(join(stage.dir, 'tenant/workflows/unknown.md'), UNKNOWN);
  writeFileSync(
    join(stage.dir, 'tenant/agents/returns.md'),
    '---\ndescription: decides\ncommand: ["true"]\n---\n\nCall `goto_phase { "phase": "build" }`.\n',
  );

  test('eight questions about an unknown workflow are answered by the text of the drawing (UI-3)', async () => {
    const page = await stage.page(toChartHash('unknown'));
    const text = await readDrawing(page);
    for (const [question, answer] of [
      ['Which phase needs an approval?', /button "draft agent checkpoint /],
      ['What waits for whom?', /State draft.*agent to end its turn, then for you to approve/],
      ['What follows an approval?', /from draft, [^\n]* approves [^\n]*leads to build/],
      ['What happens on a rejection?', /State draft[^\n]*if you ask for changes/],
      ['What can merge, and what then?', /from review-wait, [^\n]*was merged[^\n]*leads to verify/],
      ['What does news of a pull request do?', /from review-wait, news[^\n]*leads to build/],
      ['Where may it loop?', /from verify, agent goes to another phase[^\n]*leads to build/],
      ['When does it end?', /no work item is pending or in-progress, leads to \(complete\)/],
    ] as const)
      assert.match(text, answer, question);

    await page.getByLabel('Failures and limits').check();
    await page
      .locator('.graph-svg')
      .getByRole('button', { name: /^escalated/ })
      .waitFor();
    const more = await readDrawing(page);
    assert.match(more, /from build, agent escalates, leads to \(escalated\)/);
    assert.match(more, /from build, a budget is spent, leads to \(budget\)/);
    assert.match(more, /from build, [^\n]*ended with an error[^\n]*leads to \(failed\)/);
    assert.match(more, /goto_phase: any other phase/);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('how often the last runs took each arrow is a number on it, also for a screen reader (UI-3)', async () => {
    for (const n of [1, 2]) {
      const id = await stage.job('quick', `Run ${n}`);
      await stage.until(id, ({ ended }) => ended);
    }
    const page = await stage.page(toChartHash('quick'));
    await readDrawing(page);
    assert.is(await page.locator('.graph-svg .count').count(), 0, 'only on demand');
    await page.getByLabel('Numbers of last runs').focus();
    await page.keyboard.press('Space');
    await page.locator('.graph-svg .way .count', { hasText: '2×' }).first().waitFor();
    assert.match(
      await readDrawing(page),
      /from work, the agent finished, leads to waiting, taken 2 times/,
    );
    await page.getByText('2 runs are counted, none of them failed or escalated.').waitFor();
    await page.getByLabel('Failures and limits').check();
    await page
      .locator('.graph-svg')
      .getByRole('button', { name: /^failed/ })
      .waitFor();
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.getByRole('button', { name: 'Fit', exact: true }).click();
      assert.equal(await axeFaults(page), [], `${width} ${colorScheme}`);
      await picture(page, `chart-numbers-${width}-${colorScheme}`);
    }
    // A link to the page shows the same.
    assert.match(new URL(page.url()).hash, /show=limits\+runs/);
    await page.reload();
    await page.locator('.graph-svg .way .count', { hasText: '2×' }).first().waitFor();
    assert.is(await page.getByLabel('Failures and limits').isChecked(), true);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('every system chart is readable at first sight and fits the screen; groups unfold by keyboard (UI-3)', async () => {
    const page = await stage.page('#/machines');
    await page.setViewportSize({ width: 1440, height: 900 });
    const actors = (await stage.client.machines()).filter(({ kind }) => kind === 'actor');
    const links = page.getByRole('navigation', { name: 'Charts' }).getByRole('link');
    for (const { chart, label } of actors) {
      // Each on a page of its own: the drawing of the chart before stays until the next is laid out.
      await page.goto('about:blank');
      await page.goto(`${stage.runner.url}/dashboard/#/machines/${chart}`);
      await page.locator('.graph-svg').waitFor();
      const view = await page.locator('.graph-scroll').evaluate((box) => ({
        scale: Number.parseInt(document.querySelector('.graph-zoom output')?.textContent ?? '', 10),
        hidden: [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight],
      }));
      assert.ok(view.scale >= 80, `${label}: ${view.scale} %`);
      assert.ok(
        view.hidden.every((px) => px <= 2),
        `${label} is larger than the screen by ${view.hidden.join(' and ')} px`,
      );
    }
    await links.getByText('job', { exact: true }).click();
    const side = page.getByRole('complementary', { name: 'Selection' });
    await page.getByRole('button', { name: /^Working.*states/ }).click();
    assert.is(await page.getByRole('button', { name: /State inSession/ }).count(), 0);
    await side.getByRole('button', { name: 'Unfold this group' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /State inSession/ }).waitFor();
    const scale = async () =>
      Number.parseInt((await page.locator('.graph-zoom output').textContent()) ?? '', 10);
    assert.ok((await scale()) >= 80, 'the unfolded group can be read');
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.getByRole('button', { name: 'Fit', exact: true }).click();
      assert.equal(await axeFaults(page), [], `${width} ${colorScheme}`);
      await picture(page, `chart-unfolded-${width}-${colorScheme}`);
    }
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('a chart that was open before is drawn at once, without a layout, and moves nothing (UI-3)', async () => {
    const page = await stage.page('#/machines/job');
    await page.locator('.graph-svg').waitFor();
    await page.addInitScript(() => {
      const counts = { shift: 0, waits: 0 };
      Reflect.set(window, 'seen', counts);
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) counts.shift += Number(Reflect.get(entry, 'value'));
      }).observe({ type: 'layout-shift', buffered: true });
      new MutationObserver(() => {
        if (document.querySelector('.graph-wait')) counts.waits += 1;
      }).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    await page.locator('.graph-svg').waitFor();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
    const { shift, waits } = await page.evaluate(
      () => Reflect.get(window, 'seen') as { shift: number; waits: number },
    );
    const layouts = () => performance.getEntriesByName('chart layout').length;
    assert.is(await page.evaluate(layouts), 0, 'nothing is laid out');
    assert.is(waits, 0);
    assert.ok(shift < 0.01, `layout shift ${shift}`);
    assert.equal(stage.problems, []);
    await closePage(page);
  });
} else {
  test('LEFT OUT: there is no browser', () => assert.ok(true));
}

test.run();
