import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { CountingHands } from '../support/browser/countingHands.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { openPlanStage, say, waitForTurnEnd } from '../support/browser/planStage.ts';
import { CAMPAIGN_PROGRAMS, haltedCampaign } from '../support/charts/haltingCampaign.ts';

const test = suite('browser: how many clicks and keys the other tasks take');

/** Opens a pull request of a file with six lines. */
const OFFERS = `
git('switch', '--quiet', '-c', 'change-' + process.pid);
writeFileSync('lines-' + process.pid + '.txt', 'one\\ntwo\\nthree\\nfour\\nfive\\nsix\\n');
git('add', '--all'); git('commit', '--quiet', '-m', 'offer');
const pr = tool('local_create_pr', { head: 'change-' + process.pid, title: 'Offer a file', body: '' });
tool('await_event', { prId: pr.prId });
`;
const SPENDS = `
writeFileSync(process.env.SVC_SESSION_DIR + '/report.json', JSON.stringify({
  usage: { inputTokens: 200000, outputTokens: 0 }, model: 'large',
}));
`;
/** The first error is far from the end, which is what the page has read. */
const WRITES = `
const lines = Array.from({ length: 10000 }, (_, n) => n === 7310 ? 'error: the disk is full' : 'line ' + n);
console.log(lines.join('\\n'));
await new Promise(() => setInterval(() => {}, 1000));
`;
const PROPOSES = `
tool('propose_change', {
  kind: 'memory',
  description: 'Say how the tests are run.',
  files: [{ path: 'memory/tests.md', text: 'Run npm test.\\n' }],
});
`;
const FINDINGS = `Written up.

<findings>
## Problem

Accents get lost in \`src/slugify.js:2\`.
</findings>
<run>
{"workflowPath":"workflows/job.md","repoSlug":"titles","description":"Keep accents in titles"}
</run>
<readiness>
{"state":"ready","openQuestions":[],"note":"Everything is known."}
</readiness>
`;

if (hasBrowser('more tasks in Chromium')) {
  const stage = await DashboardStage.open(
    { ...CAMPAIGN_PROGRAMS, offers: OFFERS, spends: SPENDS, writes: WRITES, proposes: PROPOSES },
    { budgets: { job: { usd: 0.2 }, prices: [{ model: 'large', input: 1, output: 1 }] } },
  );
  test.after(() => stage.close());
  const openHands = async (hash: string) =>
    new CountingHands(await stage.page(hash, { viewport: { width: 1440, height: 900 } }));
  const offer = async (title: string) => {
    const id = await stage.job('offers', title);
    const { prMappings } = await stage.until(id, ({ needs }) => needs?.ask === 'review');
    return { id, prId: prMappings[0]?.prId ?? '' };
  };

  test('to see what needs a person takes none (UI-1)', async () => {
    await offer('Offer one file');
    const { page, count } = await openHands('');
    await page
      .getByRole('navigation', { name: 'Waiting for you' })
      .getByText('Offer one')
      .waitFor();
    assert.match(await page.title(), /^\(\d+\) Needs you/);
    assert.is(count, 0);
    await closePage(page);
  });

  test('to request changes with three comments takes at most 4 for each, and fewer than 20 (UI-1)', async () => {
    const { id, prId } = await offer('Offer a file to comment on');
    const hands = await openHands(`#/jobs/${id}/changes`);
    const { page } = hands;
    await page.locator('.diff-file tr.added').first().waitFor();
    await hands.press(']');
    for (const text of ['One.', 'Two.', 'Three.']) {
      const before = hands.count;
      await hands.press('j', 'Enter');
      await page.keyboard.type(text);
      await hands.press('Control+Enter');
      assert.ok(hands.count - before <= 4, `comment: ${hands.count - before}`);
    }
    await page.getByRole('button', { name: 'Finish review (3)' }).waitFor();
    await hands.press('f');
    const dialog = page.getByRole('dialog');
    await hands.click(dialog.getByRole('radio', { name: /^Request changes/ }));
    await hands.press('Control+Enter');
    await page.getByText('Review sent.').waitFor();
    assert.is((await stage.client.jobPullRequest(id, prId)).thread.length, 3);
    assert.ok(hands.count <= 19, `review: ${hands.count}`);
    await closePage(page);
  });

  test('to approve and to merge takes at most 4 (UI-1)', async () => {
    const { id, prId } = await offer('Offer a file to merge');
    const hands = await openHands(`#/jobs/${id}/changes`);
    const { page } = hands;
    const dialog = page.getByRole('dialog');
    await page.locator('.diff-file tr.added').first().waitFor();
    await hands.click(page.getByRole('button', { name: 'Approve in svc' }));
    await hands.click(dialog.getByRole('button', { name: 'Approve in svc' }));
    await page.getByText(/Approvals: developer \(in svc\)/).waitFor();
    await hands.click(page.getByRole('button', { name: 'Merge …', exact: true }));
    await hands.click(dialog.getByRole('button', { name: 'Merge', exact: true }));
    await stage.until(id, ({ prMappings }) =>
      prMappings.some((pr) => pr.prId === prId && pr.state === 'merged'),
    );
    assert.ok(hands.count <= 4, `${hands.count}`);
    await closePage(page);
  });

  test('to find why a job does not move takes at most 2 (UI-1)', async () => {
    await offer('A job that does not move');
    const hands = await openHands('#/jobs');
    const { page } = hands;
    await hands.click(page.getByRole('link', { name: 'A job that does not move' }));
    await page
      .getByText(/^Waits for a review or merge of/)
      .first()
      .waitFor();
    assert.ok(hands.count <= 2, `${hands.count}`);
    await closePage(page);
  });

  test('to steer an agent at work takes at most 2, and to find the first error in 10,000 lines takes 1 (UI-1)', async () => {
    const id = await stage.job('writes', 'Write a long log');
    await stage.until(id, ({ state }) => state.includes('working.inSession'));
    const hands = await openHands(`#/jobs/${id}/log`);
    const { page } = hands;
    await page.getByText('line 9999', { exact: true }).waitFor();
    await hands.click(page.getByRole('button', { name: 'First error' }));
    await page.locator('.log-row.current', { hasText: 'error: the disk is full' }).waitFor();
    assert.is(hands.count, 1);

    hands.count = 0;
    await hands.click(page.getByLabel('Message to the agent'));
    await page.keyboard.type('Write less.');
    await hands.press('Control+Enter');
    await page.locator('.message-dock .said', { hasText: 'Write less.' }).waitFor();
    assert.is((await stage.client.messages(id)).messages[0]?.text, 'Write less.');
    assert.ok(hands.count <= 2, `${hands.count}`);
    await closePage(page);
  });

  test('to raise a budget takes at most 3 (UI-1)', async () => {
    const id = await stage.job('spends', 'A job that spends all');
    await stage.until(id, ({ ended }) => ended);
    await stage.client.rerun(id, 'work');
    await stage.until(id, ({ parked }) => parked?.kind === 'budget');
    const hands = await openHands(`#/inbox/${id}`);
    await hands.click(hands.page.getByRole('button', { name: 'Raise and continue' }));
    await stage.until(id, ({ parked }) => parked?.kind !== 'budget');
    assert.is(hands.count, 1);
    await closePage(hands.page);
  });

  test('to follow a campaign takes 1 (UI-4)', async () => {
    const id = await haltedCampaign(stage, 'Orders, and reminders of them');
    const hands = await openHands(`#/jobs/${id}`);
    const { page } = hands;
    const parts = page.getByRole('navigation', { name: 'Sections of this job' });
    await hands.click(parts.getByRole('link', { name: /^Campaign/ }));
    const side = page.getByRole('complementary', { name: 'Selection' });
    await side.getByText('the mail server is not known').first().waitFor();
    await side.getByRole('heading', { name: 'Critical path' }).waitFor();
    assert.is(hands.count, 1);
    await closePage(page);
  });

  test('to change an agent, and to see which layer wins, takes at most 3 (UI-4)', async () => {
    const hands = await openHands('#/workflows');
    const { page } = hands;
    await hands.click(page.getByRole('link', { name: 'coder tenant', exact: true }));
    await page.locator('.layer-choice').getByText('tenant (counts)').waitFor();
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('\nKeep changes small.\n');
    await hands.click(page.getByRole('button', { name: 'Save', exact: true }));
    await page.locator('button:disabled', { hasText: 'Save' }).first().waitFor();
    await hands.click(page.getByRole('button', { name: 'As agents see it' }));
    await page.getByText('Keep changes small.').first().waitFor();
    assert.ok(hands.count <= 3, `${hands.count}`);
    await closePage(page);
  });

  test('to accept a proposal takes at most 3 (UI-6)', async () => {
    const job = await stage.job('proposes', 'Make it better');
    await stage.until(job, ({ parked, ended }) => parked !== null || ended);
    const [proposal] = (await stage.client.proposals()).proposals;
    const hands = await openHands(`#/inbox/${encodeURIComponent(`proposal:${proposal?.id}`)}`);
    const { page } = hands;
    await hands.click(page.getByRole('button', { name: 'Approve …' }));
    await hands.click(page.getByRole('dialog').getByRole('button', { name: 'Approve and apply' }));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.is((await stage.client.proposals()).proposals[0]?.state, 'applied');
    assert.ok(hands.count <= 3, `${hands.count}`);
    await closePage(page);
  });

  test('to stop everything takes 2 from anywhere (UI-1)', async () => {
    const hands = await openHands('#/statistics');
    const { page } = hands;
    await hands.click(page.getByRole('button', { name: 'Stop all jobs' }));
    await hands.click(page.getByRole('dialog').getByRole('button', { name: /^Pause \d+ jobs?$/ }));
    await page.getByRole('dialog').getByRole('status').waitFor();
    assert.is(hands.count, 2);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('from a question to a job takes a message and at most 2 (PLN-1)', async () => {
    const plan = await openPlanStage({ write: [{ say: FINDINGS }] });
    try {
      const page = await plan.stage.page('#/plan', { viewport: { width: 1440, height: 900 } });
      const hands = new CountingHands(page);
      await say(page, 'Keep accents. @@write');
      await waitForTurnEnd(page, 1);
      await hands.click(page.getByRole('button', { name: 'Dispatch …' }));
      const dialog = page.getByRole('dialog', { name: 'Dispatch this job?' });
      await hands.click(dialog.getByRole('button', { name: 'Dispatch', exact: true }));
      await page.waitForURL(/#\/jobs\//);
      assert.ok(hands.count <= 2, `${hands.count}`);
      await closePage(page);
    } finally {
      await plan.close();
    }
  });
}

test.run();
