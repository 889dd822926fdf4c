import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { Firefox, hasFirefox } from '../support/browser/firefox.ts';

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

if (hasBrowser('the runner of the dashboard') && hasFirefox('the dashboard in Firefox')) {
  const stage = await DashboardStage.open({ plans: PLANS, author: AUTHOR });
  const firefox = await Firefox.open();
  test.after(async () => {
    await firefox.close();
    await stage.close();
  });

  test('the inbox is handled by keyboard: a plan is sent back with r, and approved with a (UI-1)', async () => {
    const problems: string[] = [];
    const id = await stage.job('plans', 'Move the price list');
    await stage.until(id, ({ parked }) => parked?.kind === 'approval');
    const page = await firefox.openPage(stage, '#/inbox', problems);
    await page.waitForText('In one step');
    await page.press('r');
    await page.type('Smaller steps.');
    await page.press('Control+Enter');
    const again = await stage.until(
      id,
      ({ phases, parked }) => phases.length === 2 && parked?.kind === 'approval',
    );
    assert.is(again.phases.length, 2);
    await page.waitForText('In one step');
    await page.press('a');
    await page.waitForElement('dialog');
    await page.press('Enter');
    await page.waitForText('Nothing is waiting for you');
    assert.is((await stage.client.job(id)).phases[1]?.approvedBy, 'login');
    assert.equal(problems, []);
    await page.close();
  });

  test('a pull request is reviewed by keyboard: a comment on a line is collected and sent as one review (UI-1)', async () => {
    const problems: string[] = [];
    const id = await stage.job('author', 'Upper case');
    await stage.until(id, ({ prMappings }) => prMappings.length === 1);
    const address = `#/jobs/${id}/changes/${encodeURIComponent(PR)}`;
    const page = await firefox.openPage(stage, address, problems);
    await page.waitForElement('.diff-file tr.added');
    await page.waitForElement('.code-keyword');
    await page.press(']', 'j', 'Enter');
    await page.type('Why upper case?');
    await page.press('Control+Enter');
    await page.waitForText('Finish review (1)');
    await page.press('f', 'Enter');
    await page.waitForText('Review sent.');
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
