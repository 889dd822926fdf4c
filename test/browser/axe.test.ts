import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasBrowser } from '../support/browser/dashboardStage.ts';
import { faultsOfPages, openEveryPage } from '../support/browser/everyPage.ts';
import { LOOKS, PICTURES } from '../support/browser/pageChecks.ts';

const test = suite('browser: everybody can use it');

if (hasBrowser('axe in Chromium')) {
  const { stage, pages } = await openEveryPage();
  test.after(() => stage.close());

  for (const look of LOOKS) {
    test(`axe finds nothing on any page, and none is wider than the window: ${look.name} (UI-1)`, async () => {
      assert.equal(await faultsOfPages(stage, pages, look), []);
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
