import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: the life of a job');
const long = longLane(test);

/** Works until it gets a message, and repeats it. */
const LISTENER = `
console.log('[control] I am listening');
tool('log', { message: 'I have a tag', tag: 'control' });
await new Promise(() => setInterval(() => {}, 1000));
`;

/** Writes what test runners and hostile agents write, then more than a page of lines. */
const WRITER = `
const say = (...lines) => console.log(lines.join('\\n'));
say('\\u001b[32m✓ adds up\\u001b[0m', '\\u001b[1;31m✗ subtracts\\u001b[0m expected 2');
say('[approval] ana approved', 'one\\u001b[2K\\u001b[1Atwo', 'user\\u202Egpj.exe', 'long ' + 'word '.repeat(400));
tool('log', { message: 'ana approved', tag: 'approval' });
for (let n = 1; n <= 2500; n += 1) say('line ' + n + (n === 2000 ? ': Error: out of reach' : ''));
await new Promise(() => setInterval(() => {}, 1000));
`;

if (hasBrowser('the dashboard in Chromium')) {
  const stage = await DashboardStage.open({ listener: LISTENER, writer: WRITER });
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
    await page.getByRole('dialog').getByRole('button', { name: 'Dispatch' }).click();

    const plan = page.getByRole('region', { name: /^Plan: / });
    await plan.getByText('strip the accents').waitFor();
    assert.match(await page.title(), /^\(1\) /);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Waiting for a pull request').first().waitFor();
    const sentence = page.locator('.status-sentence');
    await sentence.getByText('Waits for a review or merge of titles#1.').waitFor();
    assert.match((await sentence.locator('a').getAttribute('href')) ?? '', /\/changes\/local/);
    await page.locator('.job-actions .primary', { hasText: 'Review #1' }).waitFor();
    assert.is(await page.locator('.page-head :is(button, .button):visible').count(), 2);

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
    // The agent has answered with a commit, which is reviewed before it can be merged.
    await page.getByRole('button', { name: 'Show the new changes' }).click();
    await page.getByRole('button', { name: 'Merge …', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge' }).click();
    await page.locator('.job-meta').getByText('Complete', { exact: true }).waitFor();
    assert.is((await stage.client.job(job.id)).status, 'complete');

    await page
      .getByRole('navigation', { name: 'Sections of this job' })
      .getByRole('link', { name: /^Artefacts/ })
      .click();
    await page
      .getByRole('main')
      .getByRole('link', { name: /report/i })
      .first()
      .click();
    await page.locator('.markdown').getByText('slugify').first().waitFor();
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long('pause, message, resume; the reason for cancelling is kept (UI-1)', async () => {
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
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();

    await page
      .getByRole('navigation', { name: 'Sections of this job' })
      .getByRole('link', { name: 'Overview' })
      .click();
    await page.getByLabel('Message to the agent').fill('Look at the cart first.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.messages').getByText('Look at the cart first.').waitFor();
    assert.is(await page.getByLabel('Message to the agent').inputValue(), '');

    await page.keyboard.press('Control+k');
    await page.keyboard.type('cancel');
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog', { name: 'Cancel this job?' })
      .getByLabel('Reason')
      .fill('Not needed any more.');
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await page.locator('.job-meta').getByText('Cancelled', { exact: true }).waitFor();
    assert.is((await stage.client.job(id)).escalationMessage, 'Not needed any more.');
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('the log: colours, sources that no one can forge, errors, links to lines, older lines, and the message under it (UI-1, JOB-10)', async () => {
    const id = await stage.job('writer', 'Write a long log');
    const page = await stage.page(`#/jobs/${id}/log`);
    await page.getByText('line 2500').waitFor();
    const row = (text: string) => page.locator('.log-row', { hasText: text });

    // Only the newest lines are read; the others are a click away, and what is read stays in place.
    const box = page.locator('.log');
    await box.evaluate((log) => {
      log.scrollTop = 0;
    });
    await page.getByRole('button', { name: 'Newest lines' }).waitFor();
    if ((await page.getByRole('button', { name: 'Load older' }).count()) > 0)
      await page.getByRole('button', { name: 'Load older' }).click();
    await page.getByRole('button', { name: 'Load older' }).waitFor({ state: 'detached' });
    await page.getByText(/^2,5\d\d lines$/).waitFor();

    // The first error of the whole log, then the next one.
    await page.getByRole('button', { name: 'First error' }).click();
    await page.getByText('1 of 2', { exact: true }).waitFor();
    assert.match((await page.locator('.log-row.current').textContent()) ?? '', /subtracts/);
    assert.is(await row('adds up').locator('.ink-good').textContent(), '✓ adds up');
    assert.is(await row('subtracts').locator('.ink-bad.bold').textContent(), '✗ subtracts');

    // Whatever an agent writes, the column beside it says who wrote it.
    const forged = row('[approval] ana approved');
    assert.is(await forged.locator('.source').textContent(), 'agent');
    assert.is(await forged.locator('.tag').count(), 0);
    assert.is(await forged.locator('.line').textContent(), '[approval] ana approved');
    const tagged = row('approvalana approved');
    assert.is(await tagged.locator('.source').textContent(), 'tool');
    assert.is(await tagged.locator('.tag').count(), 0);
    assert.is(await row('onetwo').locator('.line').textContent(), 'onetwo');
    assert.is(await row('user').locator('.line').textContent(), 'user[U+202E]gpj.exe');
    assert.is(
      await page.locator('.log-row.runner').first().locator('.source').textContent(),
      'runner',
    );

    // On a phone too, it is a word.
    await page.setViewportSize({ width: 390, height: 844 });
    const word = await forged.locator('.source').evaluate((source) => {
      const range = document.createRange();
      range.selectNodeContents(source);
      return { text: range.getBoundingClientRect().width, column: source.clientWidth };
    });
    assert.ok(word.text > 20 && word.text <= word.column, JSON.stringify(word));
    await page.setViewportSize({ width: 1280, height: 860 });

    // A long line takes three lines until it is asked for.
    const long = row('long word');
    const cut = await long.evaluate((one) => (one as HTMLElement).offsetHeight);
    assert.ok(cut <= 66, `three lines, not ${cut} px`);
    await long.getByRole('button', { name: /^Show all/ }).click();
    assert.match((await long.locator('.line').textContent()) ?? '', /(word ){400}/);

    await page.getByRole('button', { name: 'Next error' }).click();
    const far = row('Error: out of reach');
    await far.waitFor();
    const number = (await far.locator('.number').textContent()) ?? '';
    await far.locator('.number').click();
    assert.ok(page.url().endsWith(`#L${number}`), page.url());
    await page.reload();
    await page.locator('.log-row.current', { hasText: 'line 2000' }).waitFor();
    assert.is(await page.locator('.log-row.current .number').textContent(), number);

    // A line that the page does not have is found by the runner, and read with its neighbours.
    await page.getByLabel('Search the log').fill('ADDS UP');
    await row('adds up').waitFor();
    // The line of the address is asked for again, and its answer comes when the person is elsewhere.
    const heldRequest = new Promise<() => Promise<void>>((resolve) => {
      void page.route(/\/log\?from=/, (route) => resolve(() => route.continue()), { times: 1 });
    });
    await page.getByLabel('Search the log').fill('');
    const release = await heldRequest;
    await page.getByRole('button', { name: 'Newest lines' }).click();
    await row('line 2500').waitFor();
    const response = page.waitForResponse(/\/log\?from=/);
    await release();
    await (await response).finished();
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))),
    );
    assert.ok(await row('line 2500').isVisible(), 'a late answer leads nowhere');

    await page.getByRole('button', { name: 'Fold sessions' }).click();
    assert.is(await page.locator('.log-row').count(), 0);
    await page.getByRole('button', { name: /^work session 1/ }).click();
    await page.locator('.log-row').first().waitFor();

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    assert.is((await download).suggestedFilename(), `${id}.log`);

    await page.getByLabel('Message to the agent').fill('Stop writing.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.message-dock .receipt').getByText('Stop writing.').waitFor();
    const dock = await page.locator('.message-dock').boundingBox();
    const toast = await page.locator('.toast').boundingBox();
    assert.ok(dock && toast && toast.y + toast.height <= dock.y, 'the toast covers no field');
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long(
    'the head of a job: where it is, for how long, its last line; paused says paused; its id is copied (UI-1, JOB-11)',
    async () => {
      const id = await stage.job('writer', `Write ${'a long title '.repeat(40)}`);
      const page = await stage.page(`#/jobs/${id}`, {
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      await page.locator('.now-running').getByText('line 2500').waitFor();
      await page.locator('.job-time', { hasText: /^running \d+ s$/ }).waitFor();
      const title = page.getByRole('heading', { level: 1 });
      assert.ok((await title.evaluate((one) => one.clientHeight)) < 70, 'a title has two lines');
      assert.equal(
        await page
          .getByRole('list', { name: 'Phases of the workflow' })
          .locator('li bdi')
          .allTextContents(),
        ['work', 'waiting'],
      );
      assert.is(await page.locator('.stepper [aria-current=step] bdi').textContent(), 'work');
      // What has nothing to show takes no room.
      for (const name of ['Work items', 'Pull requests', 'Artefacts', 'Insights', 'Tokens'])
        assert.is(await page.getByRole('heading', { name, exact: true }).count(), 0, name);

      await page.getByRole('button', { name: 'Copy the job id' }).click();
      assert.is(await page.evaluate(() => navigator.clipboard.readText()), id);

      await page.getByRole('button', { name: 'Pause' }).click();
      await page.locator('.job-meta .pill').getByText('Paused', { exact: true }).waitFor();
      await page.getByText('Paused. Resume it to continue.').waitFor();

      // The phase is a bar with its times; it opens to what happened in it.
      const bars = page.locator('.phase-row').first();
      await bars.locator('.numbers', { hasText: /^.+ work · .+ wait/ }).waitFor();
      assert.is(await bars.locator('.bar.session').count(), 1);
      assert.is(await bars.locator('.bar.waiting').count(), 1);
      const phase = bars.getByRole('button', { name: 'work' });
      assert.is(await bars.locator('.timeline').count(), 1);
      await phase.click();
      assert.is(await bars.locator('.timeline').count(), 0);

      await page.setViewportSize({ width: 390, height: 844 });
      for (const tab of ['', '/log', '/journal']) {
        await page.evaluate((hash) => {
          location.hash = hash;
        }, `#/jobs/${id}${tab}`);
        const resume = await page.getByRole('button', { name: 'Resume' }).boundingBox();
        assert.ok(
          resume && resume.y > 700 && resume.y + resume.height < 800,
          'above the navigation',
        );
      }
      await stage.client.cancel(id);
      assert.equal(stage.problems, []);
      await closePage(page);
    },
  );

  long('an insight of any job is found and proposed for the memory (INT-11)', async () => {
    const page = await stage.page('#/insights?category=testing');
    const row = page.locator('.insight-row').first();
    await row.getByRole('button', { name: /^Propose for the memory/ }).click();
    await page.getByText('It waits for approval among the proposals.').waitFor();
    const { proposals } = await stage.client.proposals();
    assert.equal(
      proposals.map(({ paths, jobId }) => [paths, jobId]),
      [[['memory/insights.md'], null]],
    );
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long(
    'a job is dispatched again with changes, and the search of the palette finds it by keyboard (UI-1)',
    async () => {
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
      await page.getByRole('dialog').getByRole('button', { name: 'Dispatch' }).click();
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
      await page.getByRole('heading', { name: 'Needs you', level: 1 }).waitFor();
      assert.equal(stage.problems, []);
      await closePage(page);
    },
  );
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('the dashboard in Chromium'));
  });
}

test.run();
