import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { CAMPAIGN_PROGRAMS, haltedCampaign } from '../support/charts/haltingCampaign.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: what answers a question');
const long = longLane(test);

const FAILS = 'process.exit(3);';
/** Longer than any window. */
const PLANS = `
const steps = Array.from({ length: 60 }, (_, n) => '## Step ' + (n + 1) + '\\n\\nSome words.');
tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# A plan\\n\\n' + steps.join('\\n\\n') });
`;

/** Whether the bar with the decision is in the window, and above the end of what it is about. */
const findBar = (page: Page) =>
  page.locator('.decision-bar').evaluate((bar) => {
    const { top, bottom, height } = bar.getBoundingClientRect();
    return {
      isInView: top >= -1 && bottom <= window.innerHeight + 1,
      isSmall: height < window.innerHeight / 3,
    };
  });

if (hasBrowser('answers in Chromium')) {
  const stage = await DashboardStage.open({ ...CAMPAIGN_PROGRAMS, fails: FAILS, plans: PLANS });
  test.after(() => stage.close());

  test('the decision about a plan is below its question and stays in view, on the page of the job and in the inbox, in every window (UI-1)', async () => {
    const id = await stage.job('plans', 'A long plan');
    await stage.until(id, ({ parked }) => parked?.kind === 'approval');
    const page = await stage.page('#/jobs');
    for (const hash of [`#/jobs/${id}`, `#/inbox/${id}`]) {
      for (const [width, height] of [
        [1440, 900],
        [390, 844],
        [720, 450],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.goto(`${stage.runner.url}/dashboard/${hash}`);
        await page.locator('.markdown h2', { hasText: 'Step 60' }).waitFor({ state: 'attached' });
        for (const step of ['Step 30', 'Step 59']) {
          await page
            .locator('.markdown h2', { hasText: step })
            .evaluate((heading) => heading.scrollIntoView({ block: 'center' }));
          assert.equal(
            await findBar(page),
            { isInView: true, isSmall: true },
            `${hash} ${width}x${height} ${step}`,
          );
        }
      }
    }
    // Beside the column of facts there is little room: still, the answers are in one line.
    for (const width of [1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${stage.runner.url}/dashboard/#/jobs/${id}`);
      await page.locator('.plan').waitFor();
      const ends = await page
        .locator('.decision-bar button')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().bottom)));
      assert.is(ends.length, 2);
      assert.is(ends[0], ends[1], `${width}`);
    }
    const places = await page
      .locator('.question, .decision-bar, .plan')
      .evaluateAll((all) => all.map((one) => one.className.split(' ')[0]));
    assert.equal(places, ['question', 'decision-bar', 'plan']);
    // One action has one button: at the question, or in the head where the question is elsewhere.
    const approvals = page.locator('main :is(a, button):visible', { hasText: 'Approve' });
    assert.is(await approvals.count(), 1);
    await page.goto(`${stage.runner.url}/dashboard/#/jobs/${id}/log`);
    await page.locator('.log-row').first().waitFor();
    assert.is(await approvals.count(), 1);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long(
    'the decision about a pull request is below its title, above its comments (UI-1)',
    async () => {
      const id = await stage.job('job', 'The tests fail. Fix them.', { reviewers: ['reviewer'] });
      const { approval } = await stage.until(id, ({ parked }) => parked?.kind === 'approval');
      await stage.client.resume(id, { eventKey: 'approve', shown: approval?.shown ?? '' });
      await stage.until(id, ({ parked }) => parked?.kind === 'event');
      const page = await stage.page(`#/jobs/${id}/changes`);
      await page.locator('.diff-file tr.added').first().waitFor();
      const [title, bar, talk, files] = await page
        .locator('.pr, .review-bar, .conversation, .diff-files')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      assert.ok(Number(title) < Number(bar), 'below the title');
      assert.ok(Number(bar) < Number(talk), 'above the comments');
      assert.ok(Number(talk) < Number(files), 'the files come last');
      assert.equal(stage.problems, []);
      await closePage(page);
    },
  );

  long('a failed job offers once to resume it, on a phone as well (UI-1)', async () => {
    const id = await stage.job('fails', 'Breaks');
    await stage.until(id, ({ ended }) => ended);
    const page = await stage.page(`#/jobs/${id}`, { viewport: { width: 390, height: 844 } });
    await page.locator('.ask .said').waitFor();
    assert.is(await page.getByRole('button', { name: 'Resume' }).count(), 1);
    await page.goto(`${stage.runner.url}/dashboard/#/jobs/${id}/log`);
    await page.locator('.log-row').first().waitFor();
    assert.is(await page.getByRole('button', { name: 'Resume' }).count(), 1);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('a skip that nothing depends on yet is undone with z; one that cannot be undone asks first (UI-1, SUB-4)', async () => {
    const id = await haltedCampaign(stage, 'Orders, and two reminders');
    const page = await stage.page(`#/jobs/${id}`);
    await page.getByRole('button', { name: 'Skip mailer' }).waitFor();
    // The question leads to the campaign: the head does not offer it once more.
    assert.is(await page.locator('main a.button[href$="/campaign"]').count(), 1);
    await page.goto(`${stage.runner.url}/dashboard/#/inbox/${id}`);
    const status = async (name: string) =>
      (await stage.client.campaign(id)).subRuns.find((one) => one.name === name)?.status;
    // What failed shows what its program wrote last, with the way to it in the log.
    const output = page.getByRole('region', { name: 'Last output of mailer' });
    assert.match(
      (await output.locator('.error').textContent()) ?? '',
      /the mail server is not known/,
    );
    assert.match(
      (await output.getByRole('link').getAttribute('href')) ?? '',
      /^#\/jobs\/.+\/log#L\d+$/,
    );
    await page.getByRole('button', { name: 'Skip mailer' }).click();
    await page.getByText('mailer skipped.').waitFor();
    assert.is(await status('mailer'), 'skipped');
    await page.locator('.inbox-open').focus();
    await page.keyboard.press('z');
    await page.getByText('mailer is no longer skipped.').waitFor();
    assert.is(await status('mailer'), 'failed');

    await page.getByRole('button', { name: 'Skip mailer' }).click();
    await page.getByRole('button', { name: 'Skip mailer' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Skip worker' }).click();
    const facts = page.getByRole('dialog', { name: 'Skip worker?' });
    assert.match(
      (await facts.textContent()) ?? '',
      /a job is started for release.*cannot be undone/,
    );
    assert.is(await status('worker'), 'failed');
    await facts.getByRole('button', { name: 'Skip worker' }).click();
    await stage.until(id, ({ status: now }) => now === 'complete');
    assert.is(await status('worker'), 'skipped');
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long(
    'while the runner does not answer nothing can be sent: buttons say why, and keys do nothing (UI-1)',
    async () => {
      const [asks] = (await stage.client.jobs({ needs: 'decide' })).jobs;
      const [failed] = (await stage.client.jobs({ needs: 'broken' })).jobs;
      const page = await stage.page(`#/jobs/${asks?.id}`);
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      const other = await page.context().newPage();
      await other.goto(`${stage.runner.url}/dashboard/#/jobs/${failed?.id}`);
      await other.getByRole('button', { name: 'Dismiss' }).waitFor();
      const top = () =>
        page
          .locator('main h1')
          .first()
          .evaluate((head) => head.getBoundingClientRect().top);
      const before = await top();
      await stage.runner.kill();
      for (const [one, name] of [
        [page, 'Approve'],
        [other, 'Dismiss'],
      ] as const) {
        await one.getByText('No connection to the runner since').waitFor();
        const button = one.locator('.decision-bar').getByRole('button', { name });
        assert.is(await button.isDisabled(), true, name);
        await one.locator('.decision-bar').getByText('The runner does not answer.').waitFor();
      }
      assert.is(await top(), before, 'the banner moves nothing');
      await page.setViewportSize({ width: 390, height: 800 });
      await page.screenshot({ path: '/tmp/ban390.png' });
      await page.keyboard.press('a');
      assert.is(await page.getByRole('dialog').count(), 0);
      await other.keyboard.press('x');
      assert.is(await other.locator('.toast').count(), 0);
      await stage.runner.start();
      await page.getByText('No connection to the runner since').waitFor({ state: 'detached' });
      assert.is(await page.getByRole('button', { name: 'Approve' }).isEnabled(), true);
      await closePage(page);
    },
  );
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('answers in Chromium'));
  });
}

test.run();
