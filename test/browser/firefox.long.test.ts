import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Page } from 'puppeteer-core';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { firefoxPage, hasFirefox, openFirefox } from '../support/browser/firefox.ts';

const test = suite('browser: Firefox');

/** Shows a plan and waits for approval. */
const PLANS = `tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: '# In one step\\n\\n## First\\n\\nAll.' });`;

/** Opens a pull request, and stays at work. */
const AUTHOR = `
git('switch', '--quiet', '-c', 'change');
writeFileSync('src/slugify.js', run('cat', ['src/slugify.js']).replace('toLowerCase', 'toUpperCase') + '\\n');
git('commit', '--quiet', '--all', '-m', 'change');
tool('local_create_pr', { head: 'change', title: 'Upper case', body: '' });
await new Promise(() => setInterval(() => {}, 1000));
`;

const PR = 'local:titles#1';

const shows = (page: Page, text: string) => page.locator(`::-p-text(${text})`).wait();
const press = async (page: Page, ...keys: Parameters<Page['keyboard']['press']>[0][]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const sendText = async (page: Page) => {
  await page.keyboard.down('Control');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Control');
};

if (hasBrowser('the runner of the dashboard') && hasFirefox('the dashboard in Firefox')) {
  const stage = await DashboardStage.open({ plans: PLANS, author: AUTHOR });
  const firefox = await openFirefox();
  test.after(async () => {
    await firefox.close();
    await stage.close();
  });

  test('the inbox is handled by keyboard: a plan is sent back with r, and approved with a (UI-1)', async () => {
    const problems: string[] = [];
    const id = await stage.job('plans', 'Move the price list');
    await stage.until(id, ({ parked }) => parked?.kind === 'approval');
    const page = await firefoxPage(firefox, stage, '#/inbox', problems);
    await shows(page, 'In one step');
    await press(page, 'r');
    await page.keyboard.type('Smaller steps.');
    await sendText(page);
    const again = await stage.until(
      id,
      ({ phases, parked }) => phases.length === 2 && parked?.kind === 'approval',
    );
    assert.is(again.phases.length, 2);
    await shows(page, 'In one step');
    await press(page, 'a');
    await page.locator('dialog').wait();
    await press(page, 'Enter');
    await shows(page, 'Nothing is waiting for you');
    assert.is((await stage.client.job(id)).phases[1]?.approvedBy, 'login');
    assert.equal(problems, []);
    await page.close();
  });

  test('a pull request is reviewed by keyboard: a comment on a line is collected and sent as one review (UI-1)', async () => {
    const problems: string[] = [];
    const id = await stage.job('author', 'Upper case');
    await stage.until(id, ({ prMappings }) => prMappings.length === 1);
    const address = `#/jobs/${id}/changes/${encodeURIComponent(PR)}`;
    const page = await firefoxPage(firefox, stage, address, problems);
    await page.locator('.diff-file tr.added').wait();
    await page.locator('.code-keyword').wait();
    await press(page, ']', 'j', 'Enter');
    await page.keyboard.type('Why upper case?');
    await sendText(page);
    await shows(page, 'Finish review (1)');
    await press(page, 'f', 'Enter');
    await shows(page, 'Review sent.');
    const { reviews, thread } = await stage.client.jobPullRequest(id, PR);
    assert.is(reviews.length, 1);
    assert.equal(
      thread.map(({ body }) => body),
      ['Why upper case?'],
    );
    assert.equal(problems, []);
    await page.close();
  });
}

test.run();
