import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Page } from 'playwright-core';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import {
  blanks,
  OFFERS,
  findOpened,
  refuseAnswer,
  row,
  slowDown,
  title,
  watchList,
} from '../support/browser/inboxPage.ts';
import { countRequests } from '../support/browser/countRequests.ts';
import { CAMPAIGN_PROGRAMS, haltedCampaign } from '../support/charts/haltingCampaign.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: what needs a person');
const long = longLane(test);

/** Shows a plan and waits for approval; each session repeats its prompt. */
const PLANS = `
import { readFileSync } from 'node:fs';
const reported = readFileSync(process.env.SVC_SESSION_DIR + '/kickoff.md', 'utf8');
const again = reported.includes('Smaller steps');
tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: again ? '# In small steps\\n\\n## First\\n\\nOne.' : '# In one step\\n\\n## First\\n\\nAll.' });
`;
/** A plan of 200 KB. */
const LONG_PLAN = `
const words = 'Some words of *one* step, with \`code\` and a [link](https://example.org). '.repeat(6);
const steps = Array.from({ length: 400 }, (_, n) => '## Step ' + (n + 1) + '\\n\\n' + words + '\\n\\n- a\\n- b\\n');
tool('post_artifact', { kind: 'plan-md', title: 'Long plan', content: '# Everything\\n\\n' + steps.join('\\n') });
`;
const ESCALATES = `tool('escalate', { message: 'There is nothing to fix.' });`;

/** Changes of another job that the page hears of while a text is typed. */
const CHANGES = 300;

const plan = (page: Page) => findOpened(page).locator('.markdown');

if (hasBrowser('the inbox in Chromium')) {
  const stage = await DashboardStage.open({
    ...CAMPAIGN_PROGRAMS,
    plans: PLANS,
    planlong: LONG_PLAN,
    escalates: ESCALATES,
    offers: OFFERS,
  });
  test.after(() => stage.close());

  test('a plan is sent back with r, comes again with its changes, and is approved with a and Enter: next ones open by themselves (UI-1)', async () => {
    // The workflow's name begins with "plan", which gives it a checkpoint.
    const page = await stage.page('#/inbox');
    await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    const id = await stage.job('plans', 'Move the price list');
    await title(page).getByText('Move the price list').waitFor();
    await plan(page).getByText('In one step').waitFor();
    assert.is(await page.title(), '(1) Needs you · svc');

    await page.keyboard.press('r');
    await page.keyboard.type('Smaller steps, please.');
    await page.keyboard.press('Control+Enter');
    await plan(page).getByText('In small steps').waitFor();
    assert.is((await stage.client.job(id)).phases.length, 2);
    assert.is(await page.getByLabel('What should change?').inputValue(), '');
    await page.getByRole('button', { name: 'Changes to the plan before' }).click();
    await page.locator('.plan-diff ins', { hasText: '# In small steps' }).waitFor();
    await page.locator('.plan-diff del', { hasText: '# In one step' }).waitFor();

    const other = await stage.job('plans', 'Move the other list');
    await row(page, 'Move the other list').waitFor();
    // From here on the list stays the element that it is.
    await watchList(page);
    await slowDown(page);
    await page.keyboard.press('j');
    await title(page).getByText('Move the other list').waitFor();
    await plan(page).getByText('In one step').waitFor();
    await page.keyboard.press('k');
    await title(page).getByText('Move the price list').waitFor();
    await row(page, 'Move the other list').click();
    await title(page).getByText('Move the other list').waitFor();
    await row(page, 'Move the price list').click();
    // Under the pointer a row that is done would keep its place.
    await page.mouse.move(1_000, 600);
    await plan(page).getByText('In small steps').waitFor();
    const refusal = await refuseAnswer(page);
    await page.keyboard.press('a');
    await page.getByRole('dialog', { name: 'Approve phase work?' }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.inbox-row.answered', { hasText: 'Move the price list' }).waitFor();
    refusal.allow();
    await page.locator('.toast.error').waitFor();
    await page.locator('.inbox-row:not(.answered)', { hasText: 'Move the price list' }).waitFor();
    await refusal.end();
    // The browser logs the answer that was made up.
    stage.problems.length = 0;

    await page.keyboard.press('a');
    const facts = page.getByRole('dialog', { name: 'Approve phase work?' });
    await facts.getByText('Move the price list').waitFor();
    assert.match((await facts.textContent()) ?? '', /Next: waiting\..*cannot be undone/);
    await page.keyboard.press('Enter');
    await title(page).getByText('Move the other list').waitFor();
    assert.is((await stage.client.job(id)).phases[1]?.approvedBy, 'login');
    assert.equal(await blanks(page), []);
    // A plan that is not on the screen yet cannot be approved.
    await plan(page).getByText('In one step').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    assert.is(await page.title(), 'Needs you · svc');
    assert.is((await stage.client.job(other)).phases[0]?.approvedBy, 'login');
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('a pull request that waits for a person is in the group Review with size and checks, and is merged there (UI-1, JOB-9)', async () => {
    const id = await stage.job('offers', 'Offer one file');
    await stage.until(id, ({ needs }) => needs !== null);
    const { needs } = await stage.client.job(id);
    assert.is(needs?.group, 'review');
    assert.is((await stage.client.jobCounts()).needs.review, 1);
    const page = await stage.page('#/inbox');
    const group = page.getByRole('region', { name: 'Review', exact: true });
    await group.locator('.inbox-row', { hasText: 'Offer one file' }).waitFor();
    await group.locator('.review-fact', { hasText: '1 file +2 −0' }).waitFor();
    assert.match((await row(page, 'Offer one file').textContent()) ?? '', /titles#\d+.*no checks/);
    assert.is(await page.title(), '(1) Needs you · svc');
    await findOpened(page).locator('.diff-file tr.added').first().waitFor();
    await findOpened(page).getByRole('button', { name: 'Merge …', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long(
    'typing continues through 300 changes of another job: text, focus, caret and scroll stay, nothing is read again; the text survives reload, Back and a restart of the runner (UI-1)',
    async () => {
      const id = await stage.job('planlong', 'A plan of 200 KB');
      const other = await stage.job('escalates', 'Fix what works');
      await stage.until(id, ({ parked }) => parked?.kind === 'approval');
      await stage.until(other, ({ ended }) => ended);
      const page = await stage.page('#/');
      await title(page).getByText('A plan of 200 KB').waitFor();
      await row(page, 'Fix what works').waitFor();
      await page.getByText('Outline', { exact: true }).click();
      // The last of the headings comes with the last slice of the plan.
      await page.getByRole('button', { name: 'Step 400' }).waitFor();
      await page.getByRole('button', { name: 'Step 200' }).click();
      await page.waitForFunction(() => window.scrollY > 1_000);
      await page.keyboard.press('r');
      await page.keyboard.type('Not so many steps');
      await page.keyboard.press('Home');
      // Sections above the window get their true height when they are first drawn, and the browser
      // corrects `scrollY` by as much: what stays is the place of the text in the window.
      const heading = await page
        .getByRole('heading', { name: 'Step 200', exact: true })
        .elementHandle();
      const state = () =>
        page.evaluate((step) => {
          const field = document.activeElement;
          return field instanceof HTMLTextAreaElement && step
            ? {
                caret: field.selectionStart,
                step: Math.round(step.getBoundingClientRect().top),
                field: Math.round(field.getBoundingClientRect().top),
                text: field.value,
              }
            : null;
        }, heading);
      const before = await state();
      assert.ok(before && before.step >= 0 && before.step < 1_000);

      const field = await page.evaluateHandle(() => document.activeElement);
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      const start = performance.now();
      for (let n = 0; n < CHANGES / 2; n += 1) {
        await stage.client.dismiss(other);
        await stage.client.undismiss(other);
        if (n % 30 === 0) await page.keyboard.type(`${n} `);
      }
      await stage.client.dismiss(other);
      await row(page, 'Fix what works').waitFor({ state: 'detached' });
      assert.equal(await state(), {
        ...before,
        caret: '0 30 60 90 120 '.length,
        text: `0 30 60 90 120 ${before.text}`,
      });
      assert.is(await page.evaluate((was) => document.activeElement === was, field), true);
      // The counts of the list are read again, once a second; no job is, and the inbox neither.
      const counts = requests.filter((url) => url.endsWith('/jobs/counts'));
      assert.equal(
        requests.filter((url) => !counts.includes(url)),
        [],
      );
      const seconds = (performance.now() - start) / 1_000;
      assert.ok(counts.length <= seconds + 2, `${counts.length} counts in ${seconds} s`);

      const text = async () => page.getByLabel('What should change?').inputValue();
      const typed = `0 30 60 90 120 ${before.text}`;
      await page.reload();
      await plan(page).getByText('Step 1', { exact: true }).waitFor();
      assert.is(await text(), typed);
      await title(page).getByRole('link').click();
      await page.getByRole('navigation', { name: 'Sections of this job' }).waitFor();
      await page.goBack();
      await title(page).getByText('A plan of 200 KB').waitFor();
      assert.is(await text(), typed);
      await stage.runner.kill();
      await page.getByText('No connection to the runner since').waitFor();
      assert.is(await page.getByRole('button', { name: 'Approve' }).isDisabled(), true);
      assert.is(await page.getByRole('alert').count(), 0);
      await stage.runner.start();
      await page.getByText('No connection to the runner since').waitFor({ state: 'detached' });
      assert.is(await text(), typed);
      // What the page logs of the connection is not a fault of the page.
      stage.problems.length = 0;
      await stage.client.cancel(id);
      await closePage(page);
    },
  );

  test('a plan that was changed after it was read is not approved: the person is notified and sees the new one', async () => {
    const id = await stage.job('plans', 'Changed meanwhile');
    await stage.until(id, ({ parked }) => parked?.kind === 'approval');
    const page = await stage.page('#/jobs');
    // The page shows the previous plan for as long as it hears nothing of the runner.
    await page.route('**/jobs/stream', (route) => route.abort());
    await page.goto('about:blank');
    await page.goto(`${stage.runner.url}/dashboard/#/inbox/${id}`);
    await plan(page).getByText('In one step').waitFor();
    await stage.client.message(id, { message: 'Smaller steps' });
    await stage.until(
      id,
      ({ parked, phases }) => parked?.kind === 'approval' && phases.length === 2,
    );
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await page.locator('.toast.error', { hasText: 'has changed since' }).waitFor();
    await plan(page).getByText('In small steps').waitFor();
    assert.is((await stage.client.job(id)).parked?.kind, 'approval');
    await closePage(page);
  });

  test('an empty browser gets the inbox in at most 10 scripts and 150 KB; a second tab asks for at most 20 things (UI-2)', async () => {
    const id = await stage.job('plans', 'Read in two tabs');
    await stage.until(id, ({ parked }) => parked?.kind === 'approval');
    // Nothing of the dashboard is in the browser, but it is logged in.
    const first = await stage.page('manifest.webmanifest');
    const cold = await countRequests(first);
    await first.goto(`${stage.runner.url}/dashboard/#/inbox/${id}`);
    await plan(first).getByText('In one step').waitFor();
    assert.ok(cold().urls.filter((url) => url.endsWith('.js')).length <= 10);
    assert.ok(
      cold().bytes > 50_000 && cold().bytes <= 150 * 1024,
      `${cold().bytes} bytes:\n${cold().urls.join('\n')}`,
    );

    const second = await first.context().newPage();
    const warm = await countRequests(second);
    await second.goto(`${stage.runner.url}/dashboard/#/inbox/${id}`);
    await plan(second).getByText('In one step').waitFor();
    const { urls } = warm();
    assert.ok(urls.length <= 20, `${urls.length} requests:\n${urls.join('\n')}`);
    await closePage(first);
  });

  test('a browser can install the dashboard: its manifest and icons are files of the runner (UI-2)', async () => {
    const get = (file: string) => fetch(`${stage.runner.url}/dashboard/${file}`);
    const page = await (await get('')).text();
    assert.match(page, /<link rel="manifest" href="\/dashboard\/manifest\.webmanifest"/);
    const reply = await get('manifest.webmanifest');
    assert.match(reply.headers.get('Content-Type') ?? '', /^application\/manifest\+json/);
    assert.match(reply.headers.get('Content-Security-Policy') ?? '', /manifest-src 'self'/);
    const { icons, display, scope } = (await reply.json()) as {
      icons: { src: string; sizes: string }[];
      display: string;
      scope: string;
    };
    assert.is(display, 'standalone');
    // The dashboards of a team, below another path, belong to it too.
    assert.is(scope, '/');
    assert.equal(
      icons.map(({ sizes }) => sizes),
      ['192x192', '512x512', '512x512'],
    );
    for (const { src } of icons)
      assert.is((await get(src)).headers.get('Content-Type'), 'image/png', src);
  });

  long(
    'a halted campaign names the sub-run that failed and why; skipping it lets the campaign continue (UI-1, UI-4)',
    async () => {
      stage.problems.length = 0;
      const page = await stage.page('#/inbox');
      const id = await haltedCampaign(stage, 'Orders, and reminders');
      await row(page, 'Orders, and reminders').click();
      await findOpened(page).locator('.pill', { hasText: 'Campaign halted' }).waitFor();
      await findOpened(page).getByText('The campaign needs a decision').waitFor();
      await findOpened(page).getByRole('button', { name: 'Rerun worker' }).waitFor();
      await findOpened(page).getByRole('button', { name: 'Skip worker' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Skip worker' }).click();
      await row(page, 'Orders, and reminders').waitFor({ state: 'detached' });
      await stage.until(id, ({ status }) => status === 'complete');
      const { subRuns } = await stage.client.campaign(id);
      assert.equal(
        subRuns.map(({ name, status }) => [name, status]),
        [
          ['schema', 'complete'],
          ['store', 'complete'],
          ['worker', 'skipped'],
          ['release', 'complete'],
        ],
      );
      assert.equal(stage.problems, []);
      await closePage(page);
    },
  );
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('the inbox in Chromium'));
  });
}

test.run();
