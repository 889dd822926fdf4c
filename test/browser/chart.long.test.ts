import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: charts');
const long = longLane(test);

/** Its second agent may go back to the first phase. */
const RETURNS = `---
id: returns
initial_phase: work
phases:
  - { name: work, agent: agents/quiet.md, status: working }
  - { name: again, agent: agents/returns.md, status: deciding }
createParams: { required: [repo, description], optional: [] }
---

A workflow.
`;

/** Accessible name of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

if (hasBrowser('charts in Chromium')) {
  const stage = await DashboardStage.open({ quiet: '' });
  test.after(() => stage.close());
  writeFileSync(join(stage.dir, 'tenant/workflows/returns.md'), RETURNS);
  writeFileSync(
    join(stage.dir, 'tenant/agents/returns.md'),
    '---\ndescription: decides\ncommand: ["true"]\n---\n\nCall `goto_phase { "phase": "work" }`.\n',
  );

  test('the page of machines draws every chart of the system and every workflow, laid out by a worker (UI-3)', async () => {
    const page = await stage.page('#/machines');
    const links = page.getByRole('navigation', { name: 'Charts' }).getByRole('link');
    await links.first().waitFor();
    const machines = await stage.client.machines();
    const toHash = (chart: string) => `#/machines/${encodeURIComponent(chart)}`;
    assert.equal(
      await links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))),
      ['actor', 'workflow'].flatMap((kind) =>
        machines.filter((one) => one.kind === kind).map(({ chart }) => toHash(chart)),
      ),
    );
    assert.is(await links.nth(1).textContent(), 'Sub-runs');
    for (const { chart, label, definition } of machines) {
      await page.locator(`.machine-list [href="${toHash(chart)}"]`).click();
      const [state] = definition.states;
      await page
        .getByRole('button', { name: `State ${state?.name}`, exact: false })
        .or(page.locator('.node.group'))
        .first()
        .waitFor();
      await page
        .getByRole('complementary')
        .getByRole('heading', { name: label, exact: true })
        .waitFor();
      await page.waitForFunction(
        (count) => document.querySelectorAll('.graph-svg .node:not(.start)').length >= count,
        definition.states.length,
      );
    }
    assert.is(page.workers().length, 1);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long(
    'a page that rests has the layout worker ready before a chart is opened (UI-3)',
    async () => {
      const page = await stage.page('#/jobs', { rehearses: true });
      if (page.workers().length === 0) await page.waitForEvent('worker');
      assert.match(page.workers()[0]?.url() ?? '', /elk-worker/);
      assert.equal(stage.problems, []);
      await closePage(page);
    },
  );

  long(
    'when the layout worker cannot be loaded, the page reports it instead of waiting forever, and tries again (UI-3)',
    async () => {
      const page = await stage.page('#/jobs');
      let refused = 0;
      await page.route('**/elk-worker*', (route) => {
        refused += 1;
        return route.abort();
      });
      await page.goto('about:blank');
      await page.goto(`${stage.runner.url}/dashboard/#/machines`);
      const alert = page.getByRole('alert');
      await alert.getByText('could not be loaded').waitFor();
      assert.ok(refused > 0);
      assert.is(await page.getByText('Drawing …').count(), 0);

      await page.unroute('**/elk-worker*');
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.locator('.graph-svg').waitFor();
      assert.is(await alert.count(), 0);
      assert.equal(stage.problems, []);
      await closePage(page);
    },
  );

  test('the current state of a job is marked; an open event shows what it would lead to, without doing it (UI-3)', async () => {
    const id = await stage.job(
      'job',
      'The tests of this repository fail. Find out why and fix it.',
      {
        reviewers: ['reviewer'],
      },
    );
    const { journalLength } = await stage.until(id, ({ parked }) => parked?.kind === 'approval');
    const page = await stage.page(`#/jobs/${id}/chart`);
    // The workflow comes first: it speaks of the reader's own phases.
    await page.getByRole('tab', { name: 'Workflow', selected: true }).waitFor();
    await page.getByRole('tab', { name: 'Job lifecycle' }).click();
    await page.locator('.node.now').waitFor();
    assert.match(
      (await page.locator('.node.now').getAttribute('aria-label')) ?? '',
      /State approval, current/,
    );
    assert.equal(await page.locator('.node.lit:not(.now)').count(), 1);

    const now = await page.evaluate(() => {
      const [box, view] = ['.node.now', '.graph-scroll'].map((one) => {
        const { x, y, width, height } =
          document.querySelector(one)?.getBoundingClientRect() ?? new DOMRect();
        return { x: x + width / 2, y: y + height / 2 };
      });
      if (!box || !view) throw new Error('There is no picture.');
      return {
        off: Math.max(Math.abs(box.x - view.x), Math.abs(box.y - view.y)),
        scale: Number.parseInt(document.querySelector('.graph-zoom output')?.textContent ?? '', 10),
      };
    });
    assert.ok(now.scale >= 80, `readable: ${now.scale} %`);
    assert.ok(now.off < 200, `the current state is in the middle: ${now.off} px off`);
    await page.locator('.graph-map').waitFor();
    assert.not.match((await page.locator('.graph-svg').textContent()) ?? '', /job\.|\[[a-z]\w+\]/);

    const side = page.getByRole('complementary', { name: 'Selection' });
    await page.getByLabel('Technical terms').check();
    await side.getByRole('button', { name: 'job.cancel' }).waitFor();
    await page.getByLabel('Technical terms').uncheck();
    await side.getByRole('button', { name: 'You cancel the job' }).click();
    await page.getByRole('button', { name: 'Zoom to selection' }).click();
    await page.getByLabel('Reason').fill('enough');
    await page.getByText('The event as JSON').click();
    assert.match(await page.getByLabel('Event to try').inputValue(), /"reason": "enough"/);
    await page.getByRole('button', { name: 'What if?' }).click();
    await page.getByText('Next state: Cancelled (ended.cancelled).').waitFor();
    assert.match(
      (await page.locator('.node.predicted').getAttribute('aria-label')) ?? '',
      /^Cancelled/,
    );
    assert.is((await stage.client.job(id)).journalLength, journalLength);
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      // Lines of one label that are scrolled out on the left are no visible text to axe.
      await page.getByRole('button', { name: 'Fit', exact: true }).click();
      assert.equal(await axeFaults(page), [], `${width} ${colorScheme}`);
      await picture(page, `chart-what-if-${width}-${colorScheme}`);
    }

    await page.setViewportSize({ width: 1280, height: 800 });
    await stage.client.cancel(id);
    await page.locator('.node.now[aria-label*="State cancelled"]').waitFor();
    assert.equal(
      await page.locator('.node.lit > .title').allTextContents(),
      ['Ended ', 'Cancelled '],
      'nothing else is marked as where it is',
    );
    await page.getByRole('tab', { name: 'Workflow' }).click();
    await page.locator('.graph-svg .node').first().waitFor();
    assert.is(await page.locator('.node.now').count(), 0, 'an ended job is in no phase');
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long(
    'the workflow of a job shows where its agents may send it with goto_phase, as separate lines (UI-3)',
    async () => {
      const id = await stage.job('returns', 'Go back if you like');
      const { workflow } = await stage.client.machine(id);
      assert.equal(
        workflow.definition.states.map(({ path, arrows }) => [
          path,
          arrows.flatMap(({ event, targets }) => (event === 'tool.goto_phase' ? targets : [])),
        ]),
        [
          ['work', []],
          ['again', ['work']],
          ['(complete)', []],
        ],
      );
      const page = await stage.page(`#/jobs/${id}/chart`);
      await page.getByRole('tab', { name: 'Job lifecycle' }).click();
      await page.getByRole('tab', { name: 'Workflow' }).click();
      await page.locator('.edge.possible').waitFor();
      assert.is(await page.locator('.edge.possible').count(), 1);
      assert.equal(stage.problems, []);
      await closePage(page);
    },
  );

  long(
    'keyboard only: arrow keys move between boxes, Enter opens one, Escape closes it, plus and minus zoom (UI-1)',
    async () => {
      const page = await stage.page('#/machines/subRuns');
      await page.locator('.graph-svg .node.state').first().waitFor();
      await page.locator('.graph-scroll').focus();
      await page.keyboard.press('Tab');
      assert.match(await focused(page), /State starting/);
      await page.keyboard.press('End');
      await page.keyboard.press('Home');
      assert.match(await focused(page), /State starting/);
      await page.keyboard.press('ArrowDown');
      const next = await focused(page);
      assert.not.match(next, /State starting/);
      await page.keyboard.press('Enter');
      assert.is(await page.locator('[aria-pressed="true"]').getAttribute('aria-label'), next);
      await page.keyboard.press('Escape');
      assert.is(await page.locator('[aria-pressed="true"]').count(), 0);
      const width = () =>
        page.locator('.graph-svg').evaluate((svg) => svg.getBoundingClientRect().width);
      const before = await width();
      await page.keyboard.press('+');
      assert.ok((await width()) > before);
      assert.equal(stage.problems, []);
      await closePage(page);
    },
  );

  long('in print the whole chart is on the page, without its buttons', async () => {
    const page = await stage.page('#/machines');
    await page.locator('.graph-svg').waitFor();
    await page.emulateMedia({ media: 'print' });
    const svg = await page.locator('.graph-svg').evaluate((one) => {
      const { width, height } = one.getBoundingClientRect();
      return { width, height, window: window.innerWidth };
    });
    assert.ok(svg.width <= svg.window && svg.height > 100, JSON.stringify(svg));
    assert.is(await page.locator('.graph-bar').isVisible(), false);
    assert.ok((await page.pdf({ printBackground: true })).length > 10_000);
    await closePage(page);
  });
} else {
  test('LEFT OUT: there is no browser', () => assert.ok(true));
}

test.run();
