import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { HOSTILE_TEXTS, RAN } from '../support/hostileTexts.ts';

const test = suite('browser: untrusted texts');

const ALL = HOSTILE_TEXTS.join('\n\n');

/** Shows hostile texts in every way that an agent has, and waits for approval. */
const PLANNER = `
const texts = ${JSON.stringify(HOSTILE_TEXTS)};
const all = texts.join('\\n\\n');
for (const text of texts) console.log('[control] ' + text);
for (const text of texts) console.log(text);
tool('set_work_items', { items: texts.slice(0, 10).map((title, n) => ({ id: 'i' + n, title: title.slice(0, 200) })) });
for (const text of texts) tool('add_insight', { category: 'pitfall', text });
tool('post_artifact', { kind: 'report-md', title: texts[2], content: all });
tool('post_artifact', { kind: 'page', title: 'page.html', mime: 'text/html', content: all });
git('switch', '--quiet', '-c', 'evil');
writeFileSync('<img src=x onerror=alert(1)>.md', all);
git('add', '--all');
git('commit', '--quiet', '-m', texts[0]);
tool('local_create_pr', { head: 'evil', title: texts[2], body: all });
tool('post_artifact', { kind: 'plan-md', title: texts[0], content: all });
`;

const ESCALATES = `tool('escalate', { message: ${JSON.stringify(ALL.slice(0, 3_500))} });`;

/** Nothing has run, and nothing exists that could. */
async function isHarmless(page: Page): Promise<void> {
  const traces = await page.evaluate((ran) => {
    const all = [...document.querySelectorAll('*')];
    const inMarkdown =
      '.markdown :is(script, style, iframe, object, embed, form, input, button, img, svg, video, audio, link, meta, base, template)';
    return {
      ran: ran in window,
      handlers: all
        .filter((node) => node.getAttributeNames().some((name) => name.startsWith('on')))
        .map((node) => node.outerHTML),
      links: [...document.querySelectorAll('a[href]')]
        .map((link) => link.getAttribute('href') ?? '')
        .filter((href) => /^\\s*(javascript|data|vbscript):/i.test(href)),
      elements: [...document.querySelectorAll(inMarkdown)].map((node) => node.outerHTML),
      styled: [...document.querySelectorAll('.markdown [style]')].map((node) => node.outerHTML),
    };
  }, RAN);
  assert.equal(
    traces,
    { ran: false, handlers: [], links: [], elements: [], styled: [] },
    page.url(),
  );
}

if (hasBrowser('untrusted texts in Chromium')) {
  const stage = await DashboardStage.open({ 'plan-evil': PLANNER, escalates: ESCALATES });
  test.after(() => stage.close());

  test('description, plan, pull request, comment, log line, insight, work item, escalation, message: nothing runs, nothing leaves', async () => {
    const job = await stage.job('plan-evil', ALL);
    const escalated = await stage.job('escalates', HOSTILE_TEXTS[0] ?? '');
    await stage.until(job, ({ parked, ended }) => parked?.kind === 'approval' || ended);
    await stage.until(escalated, ({ ended }) => ended);
    await stage.client.commentPullRequest('titles', 1, {
      author: (HOSTILE_TEXTS[2] ?? '').slice(0, 64),
      body: ALL,
    });
    const { artefacts, insights } = await stage.client.job(job);
    assert.equal(artefacts.length, 3);
    assert.equal(insights.length, HOSTILE_TEXTS.length);

    const page = await stage.page('#/jobs');
    for (const [hash, shows] of [
      ['#/jobs', '.job-row'],
      ['#/board', '.board-card'],
      ['#/inbox', '.inbox-open .ask > *'],
      [`#/jobs/${job}`, '.plan .markdown .slice > *'],
      [`#/jobs/${job}/log`, '.log-row'],
      [`#/jobs/${job}/changes`, '.comments .markdown .slice > *'],
      [`#/jobs/${job}/chart`, 'svg'],
      ...artefacts.map(
        ({ id }) => [`#/jobs/${job}/artefacts/${id}`, '.artefacts .section'] as const,
      ),
      [`#/jobs/${job}/journal`, '.journal-row'],
      [`#/jobs/${escalated}`, '.ask .said'],
      [`#/new?from=${job}`, 'textarea'],
    ] as const) {
      await page.evaluate((to) => {
        location.hash = to;
      }, hash);
      await page.locator(shows).first().waitFor();
      await isHarmless(page);
    }
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('option').first().waitFor();
    await isHarmless(page);
    await page.keyboard.press('Escape');

    await stage.client.message(job, { message: ALL });
    await page.evaluate((to) => {
      location.hash = to;
    }, `#/jobs/${job}`);
    await page.locator('.messages li .said').first().waitFor();
    await isHarmless(page);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('every untrusted part of a page can be clicked: links lead out to the web or nowhere', async () => {
    const [job] = (await stage.client.jobs()).jobs.filter(({ workflowPath }) =>
      workflowPath.includes('plan-evil'),
    );
    assert.ok(job);
    const page = await stage.page(`#/jobs/${job.id}/changes`);
    await page.locator('.comments .markdown .slice > *').first().waitFor();
    const links = await page.locator('.markdown a').evaluateAll((all) =>
      all.map((link) => {
        if (link instanceof HTMLElement && !link.hasAttribute('href')) link.click();
        return [link.getAttribute('href'), link.getAttribute('target'), link.getAttribute('rel')];
      }),
    );
    assert.ok(links.length > 0);
    assert.equal(
      links.filter(
        ([href, target, rel]) =>
          !(
            target === '_blank' &&
            rel === 'noopener noreferrer nofollow' &&
            /^(https?:|mailto:|none$)/.test(href ?? 'none')
          ),
      ),
      [],
    );
    await isHarmless(page);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('an artefact that is a page is a download: its address shows nothing and runs nothing', async () => {
    const [job] = (await stage.client.jobs()).jobs.filter(({ workflowPath }) =>
      workflowPath.includes('plan-evil'),
    );
    assert.ok(job);
    const html = (await stage.client.job(job.id)).artefacts.find(
      ({ mime }) => mime === 'text/html',
    );
    assert.ok(html);
    const address = `${stage.runner.url}/jobs/${job.id}/artifacts/${html.id}/content`;
    const { headers } = await fetch(address, {
      headers: { authorization: `Bearer ${stage.runner.token}` },
    });
    assert.equal(
      ['content-disposition', 'content-security-policy', 'x-content-type-options'].map((name) =>
        headers.get(name),
      ),
      [
        'attachment; filename="page.html"',
        "sandbox; default-src 'none'; frame-ancestors 'none'",
        'nosniff',
      ],
    );
    const page = await stage.page('#/jobs');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.goto(address).catch(() => null),
    ]);
    assert.is(download.suggestedFilename(), 'page.html');
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('the test would see it: the same texts, put into a page unchanged, do run (a proof of the test itself)', async () => {
    const page = await stage.browser.newPage();
    await page.goto('about:blank');
    await page.setContent(HOSTILE_TEXTS[2] ?? '');
    await page.waitForFunction((ran) => ran in window, RAN);
    await page.close();
  });
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('untrusted texts in Chromium'));
  });
}

test.run();
