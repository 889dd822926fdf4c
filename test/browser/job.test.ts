import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';

const test = suite('browser: the life of a job');

/** Works until it gets a message, and repeats it. */
const LISTENER = `
console.log('[control] I am listening');
tool('log', { message: 'I have a tag', tag: 'control' });
await new Promise(() => setInterval(() => {}, 1000));
`;

if (hasBrowser('the dashboard in Chromium')) {
  const stage = await DashboardStage.open({ listener: LISTENER });
  test.after(() => stage.close());

  test('dispatch, approve, watch, comment on a line, merge, complete: all in the browser (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    await page.getByRole('heading', { name: 'No jobs yet' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'New job' }).last().click();
    await page
      .getByLabel('Description')
      .fill('The tests of this repository fail. Find out why and fix it.');
    await page.getByLabel('Reviewers').fill('reviewer');
    await page.getByRole('button', { name: 'Dispatch' }).click();

    const plan = page.getByRole('region', { name: /^Plan: / });
    await plan.getByText('strip the accents').waitFor();
    assert.match(await page.title(), /^\(1\) /);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('awaiting-pr-merge').first().waitFor();

    await page
      .getByRole('navigation', { name: 'Sections of this job' })
      .getByRole('link', { name: /^Changes/ })
      .click();
    const line = page.locator('tr.added', { hasText: "normalize('NFKD')" });
    await line.hover();
    await line.getByRole('button', { name: /^Comment on line/ }).click();
    await page.getByLabel(/^Comment on src\/slugify.js/).fill('Why not NFC?');
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.locator('.thread').getByText('Why not NFC?').waitFor();
    const [job] = (await stage.client.jobs()).jobs;
    assert.ok(job);
    const { thread, reviewThreads } = await stage.client.pullRequest('titles', 1);
    assert.is(thread.at(-1)?.body, 'Why not NFC?');
    assert.is(reviewThreads[0]?.path, 'src/slugify.js');

    await stage.until(
      job.id,
      ({ parked, phases }) => parked?.kind === 'event' && phases.length >= 3,
    );
    await page.getByRole('button', { name: 'Merge …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await page.locator('.job-meta').getByText('complete', { exact: true }).waitFor();
    assert.is((await stage.client.job(job.id)).status, 'complete');

    await page
      .getByRole('navigation', { name: 'Sections of this job' })
      .getByRole('link', { name: /^Artefacts/ })
      .click();
    await page
      .getByRole('link', { name: /report/i })
      .first()
      .click();
    await page.locator('.markdown').getByText('slugify').first().waitFor();
    assert.equal(stage.problems, []);
    await page.context().close();
  });

  test('pause, message, resume; the reason for cancelling is kept (UI-1)', async () => {
    const id = await stage.job('listener', 'Listen to people');
    const page = await stage.page(`#/jobs/${id}/log`);
    await page.getByText('I am listening').waitFor();
    // A tag of an agent is its own, and text in brackets is text.
    await page.getByRole('button', { name: 'tool: control 1' }).click();
    assert.equal(await page.locator('.log-row .line').allTextContents(), ['I have a tag']);
    await page.getByRole('button', { name: 'tool: control 1' }).click();

    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    assert.is((await stage.client.job(id)).parked?.kind, 'paused');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();

    await page
      .getByRole('navigation', { name: 'Sections of this job' })
      .getByRole('link', { name: 'Overview' })
      .click();
    await page.getByLabel('Message to the agent').fill('Look at the cart first.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.messages').getByText('Look at the cart first.').waitFor();
    assert.is(await page.getByLabel('Message to the agent').inputValue(), '');

    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByLabel('Reason').fill('Not needed any more.');
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await page.locator('.job-meta').getByText('cancelled', { exact: true }).waitFor();
    assert.is((await stage.client.job(id)).escalationMessage, 'Not needed any more.');
    assert.equal(stage.problems, []);
    await page.context().close();
  });

  test('a job is dispatched again with changes, and the search of the palette finds it by keyboard (UI-1)', async () => {
    const page = await stage.page('#/jobs');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog');
    await palette.getByRole('combobox').fill('listen to people');
    // The list of jobs comes after the page.
    await palette.getByRole('option', { name: 'Listen to people' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Listen to people' }).waitFor();
    await page.getByRole('link', { name: 'Run again' }).first().click();
    const description = page.getByLabel('Description');
    await page.getByRole('button', { name: 'Dispatch' }).waitFor();
    assert.is(await description.inputValue(), 'Listen to people');
    await description.fill('Listen to people again');
    await page.getByRole('button', { name: 'Dispatch' }).click();
    await page.getByRole('heading', { name: 'Listen to people again' }).waitFor();
    const [newest] = (await stage.client.jobs()).jobs;
    assert.equal(newest?.description, 'Listen to people again');
    assert.equal(newest?.workflowPath, 'workflows/listener.md');

    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts and settings' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    assert.equal(stage.problems, []);
    await page.context().close();
  });
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('the dashboard in Chromium'));
  });
}

test.run();
