import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';

const test = suite('browser: proposals');

/** Proposes a program, a longer workflow, and text that no reader sees. */
const PROPOSES = `
import { readFileSync } from 'node:fs';
const workflow = readFileSync('../_intelligence/workflows/proposes.md', 'utf8');
tool('propose_change', {
  kind: 'workflow',
  description: 'A person looks at the work before it waits.\\n\\nIn **two of three** jobs it was sent back.',
  files: [
    { path: 'workflows/proposes.md', text: workflow.replace('interactive_checkpoint: false', 'interactive_checkpoint: true') },
    { path: 'agents/proposes2.md', text: '---\\ndescription: two\\ncommand: [node, "{layer}/programs/proposes.mjs"]\\n---\\n\\nText.\\n<!-- hidden -->\\n' },
  ],
});
`;

if (hasBrowser('proposals in Chromium')) {
  const stage = await DashboardStage.open({ proposes: PROPOSES });
  test.after(() => stage.close());

  test('a person looks at a proposal by its meaning, names what it runs, approves and applies it (INT-8, UI-6)', async () => {
    const job = await stage.job('proposes', 'Make it better');
    await stage.until(job, ({ parked, ended }) => parked !== null || ended);
    const page = await stage.page('#/proposals');
    await page.getByRole('link', { name: /A person looks at the work/ }).click();
    await page.getByText("phase work: now waits for a person's approval").waitFor();
    await page.getByText('interactive_checkpoint: true').first().waitFor();
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 1400 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `proposal ${width} ${colorScheme}`);
      await picture(page, `proposal-${width}-${colorScheme}`);
    }
    // It is in Needs you as well, with a number beside the page.
    await page.locator('.all-places a', { hasText: 'Proposals' }).getByText('1 waiting').waitFor();
    // One number everywhere: the list has no row for it, and counts it as Needs you does.
    for (const hash of ['#/jobs?is=needs-you', '#/board']) {
      await page.evaluate((to) => {
        location.hash = to;
      }, hash);
      await page.getByRole('link', { name: '1 proposal waits for you too' }).waitFor();
      await page.getByRole('button', { name: 'Needs you 1' }).waitFor();
    }
    assert.is(
      await page.locator('.board h2', { hasText: 'Needs you' }).textContent(),
      ' Needs you 1',
    );
    await page.evaluate(() => {
      location.hash = '#/jobs?is=needs-you&repo=nowhere';
    });
    await page.getByRole('button', { name: 'Needs you 0' }).waitFor();
    await page.evaluate(() => {
      location.hash = '#/inbox';
    });
    const group = page.getByRole('region', { name: 'Proposals', exact: true });
    await group.getByText('A person looks at the work').click();
    assert.is(await page.title(), '(1) Needs you · svc');
    await page.getByRole('button', { name: 'Approve …' }).click();
    const dialog = page.getByRole('dialog');
    const approve = dialog.getByRole('button', { name: 'Approve and apply' });
    assert.is(await approve.isDisabled(), true);
    await picture(page, 'proposal-approve');
    for (const box of await dialog.getByRole('checkbox').all()) await box.check();
    await approve.click();
    await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    const [proposal] = (await stage.client.proposals()).proposals;
    assert.is(proposal?.state, 'applied');
    assert.equal(stage.problems, []);
    await closePage(page);
  });
}

test.run();
