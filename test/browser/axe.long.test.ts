import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { hasBrowser } from '../support/browser/dashboardStage.ts';
import { faultsOfPages, openEveryPage } from '../support/browser/everyPage.ts';
import { LOOKS, PICTURES } from '../support/browser/pageChecks.ts';

const test = suite('browser: everybody can use it');

if (hasBrowser('axe in Chromium')) {
  const { stage, pages } = await openEveryPage();
  test.after(() => stage.close());

  // Every page in one of the looks; `npm run test:axe` sees each of them in all of nine.
  for (const [n, look] of LOOKS.entries()) {
    test(`axe finds nothing on its pages, and none is wider than the window: ${look.name} (UI-1)`, async () => {
      const part = pages.filter((_, index) => index % LOOKS.length === n);
      assert.ok(part.length > 5);
      assert.equal(await faultsOfPages(stage, part, look), []);
    });
  }

  test('long words, and a long name of a repository, make no page of a phone wider than it is (UI-1)', async () => {
    const slug = `${'payments-reconciliation-'.repeat(3)}monorepo`;
    const titles = join(stage.dir, 'titles.git');
    await stage.client.updateConfig({ forges: { local: { repos: { titles, [slug]: titles } } } });
    const { jobId } = await stage.client.createJob({
      type: 'job',
      workflowPath: 'workflows/fails.md',
      params: { repoSlug: slug, description: 'Elektrizitaetenhauptbetriebswerk'.repeat(8) },
    });
    await stage.until(jobId, ({ ended }) => ended);
    const page = await stage.page('#/jobs', { viewport: { width: 390, height: 844 } });
    const wide: string[] = [];
    for (const [hash, shows] of [
      ['#/jobs', '.job-row a[data-job]'],
      ['#/board', '.board-card'],
      ['#/inbox', '.inbox-row'],
      [`#/inbox/${jobId}`, '.inbox-open .ask'],
      [`#/jobs/${jobId}`, '.timeline li'],
      [`#/new?from=${jobId}`, 'textarea'],
      [`#/compare/${jobId}/${jobId}`, '.compare-page table'],
      ['#/report?since=24h', '.report-row'],
      ['#/statistics', '#throughput'],
      ['#/audit', '.audit-table tbody tr'],
      ['#/settings/forges', '.form-entry textarea'],
    ] as const) {
      await page.evaluate((to) => {
        location.hash = to;
      }, hash);
      await page.locator(shows).first().waitFor();
      const isWide = await page.evaluate(
        () => document.documentElement.scrollWidth > window.innerWidth,
      );
      if (isWide) wide.push(hash);
    }
    assert.equal(wide, []);
    await closePage(page);
  });

  test('on a phone, the heads of pages with one act are a line, and options of a chart stand behind a button (UI-1)', async () => {
    const page = await stage.page('#/audit', { viewport: { width: 390, height: 844 } });
    const head = page.locator('.page-head');
    await head.getByRole('button', { name: 'Refresh' }).waitFor();
    const height = await head.evaluate((element) => element.getBoundingClientRect().height);
    assert.ok(height < 40, `${height} px`);
    await page.evaluate(() => {
      location.hash = '#/machines';
    });
    const options = page.getByRole('button', { name: 'Options' });
    await options.waitFor();
    assert.is(await page.getByLabel('Fold groups').isVisible(), false);
    await options.click();
    await page.getByLabel('Fold groups').waitFor();
    await closePage(page);
  });

  test('paper is white in every theme, and has no buttons, fields and tabs (UI-1)', async () => {
    const failed = pages.find(([name]) => name === 'job-failed')?.[1] ?? '';
    const page = await stage.page(failed, { colorScheme: 'dark' });
    await page.locator('.ask .said').waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.is(ground, 'rgb(255, 255, 255)');
    for (const control of ['.tabs', '.ask button', 'textarea', '.sidebar'])
      assert.is(await page.locator(control).first().isVisible(), false, control);
    await closePage(page);
  });

  test('with the colours of the system, what is current looks like nothing beside it (UI-1)', async () => {
    const overview = pages.find(([name]) => name === 'job')?.[1] ?? '';
    const page = await stage.page('#/jobs', { forcedColors: 'active' });
    const readBackgrounds = (links: string) =>
      page
        .locator(links)
        .evaluateAll((all) =>
          all.map((link) => [
            link.hasAttribute('aria-current'),
            getComputedStyle(link).backgroundColor,
          ]),
        );
    const isAlone = async (links: string) => {
      await page.locator(`${links}[aria-current]`).waitFor();
      const grounds = await readBackgrounds(links);
      const current = grounds.filter(([is]) => is).map(([, ground]) => ground);
      const others = grounds.filter(([is]) => !is).map(([, ground]) => ground);
      assert.is(current.length, 1, links);
      assert.not.ok(others.includes(current[0] ?? ''), links);
    };
    await isAlone('.segmented a');
    await isAlone('.sidebar .all-places a');
    await page.evaluate((to) => {
      location.hash = to;
    }, overview);
    await isAlone('.tabs a');
    await closePage(page);
  });

  test('on a wide screen the overview of a job has two columns, also after the page of statistics (UI-1)', async () => {
    const overview = pages.find(([name]) => name === 'job')?.[1] ?? '';
    const page = await stage.page('#/statistics', { viewport: { width: 1440, height: 900 } });
    await page.locator('#throughput').waitFor();
    await page.evaluate((to) => {
      location.hash = to;
    }, overview);
    const columns = page.locator('.columns > .stack');
    await columns.nth(1).waitFor();
    const [left, right] = await columns.evaluateAll((all) =>
      all.map((column) => column.getBoundingClientRect()),
    );
    assert.ok(left && right && right.left >= left.right, 'the second is beside the first');
    await closePage(page);
  });

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
