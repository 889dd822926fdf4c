import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Page } from 'playwright-core';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults } from '../support/browser/pageChecks.ts';

const test = suite('browser: a failure where it is shown');

/** Changes a file, names its error, and exits. */
const BREAKS = `
writeFileSync('half.txt', 'one\\ntwo\\n');
console.log('resolving');
console.log('error: could not resolve dependency: peer react@17');
process.exit(3);
`;

/** What the page says of the failure: the error, the exit code, and what changed. */
async function readFailure(page: Page): Promise<(string | null)[]> {
  const failure = page.locator('.failure', { hasText: 'exit code 3' }).first();
  await failure.locator('.last-output .error').waitFor();
  await failure.getByText('What changed since the last success').click();
  await failure.getByText('half.txt').waitFor();
  return Promise.all([
    failure.locator('.last-output .error bdi').innerText(),
    failure.locator('.last-output .pill').textContent(),
    failure.locator('.since-success .files').innerText(),
  ]);
}

if (hasBrowser('failures in Chromium')) {
  const stage = await DashboardStage.open({ breaks: BREAKS });
  test.after(() => stage.close());

  test('job, inbox and report show the same: first error, exit code, and what changed since the last success (UI-1)', async () => {
    const id = await stage.job('breaks', 'Upgrade react');
    await stage.until(id, ({ needs }) => needs !== null);
    assert.is((await stage.client.job(id)).lastOutput?.exitCode, 3);
    for (const hash of [`#/jobs/${id}`, `#/inbox/${id}`, '#/report']) {
      const page = await stage.page(hash);
      const [error, code, files] = await readFailure(page);
      assert.match(error ?? '', /could not resolve dependency: peer react@17$/, hash);
      assert.is(code, 'exit code 3', hash);
      assert.match(files ?? '', /\+2 −0 half\.txt/, hash);
      assert.equal(await axeFaults(page), [], hash);
      await closePage(page);
    }
    assert.equal(stage.problems, []);
  });
}

test.run();
