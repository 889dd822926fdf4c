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
