import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import type { Scripts } from '../../demo/model/script.ts';
import { hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, toContextOptions, LOOKS, picture } from '../support/browser/pageChecks.ts';
import {
  waitForTurnEnd,
  changeSampleRepository,
  openId,
  openPlanStage,
  say,
} from '../support/browser/planStage.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: plan mode');
const long = longLane(test);

const FINDINGS = (verb: string) => `<findings>
## Problem

Accents get lost in \`src/slugify.js:2\`, the test is \`test/slugify.test.js:9-11\`.

## Proposed change

${verb} before line \`src/slugify.js:99\`, and add \`NEW:src/accents.js\`.
</findings>
`;
const READY = `<readiness>
{"state":"ready","openQuestions":[],"note":"Everything is known."}
</readiness>
`;
const RUN = `<run>
{"workflowPath":"workflows/job.md","repoSlug":"titles","description":"Keep accents in titles","autoApprove":["all"]}
</run>
`;
const SCRIPTS: Scripts = {
  why: [
    {
      think: 'The title of a page loses letters.',
      say: 'Let me look.',
      calls: [
        { svc: 'scm_list_files', args: {} },
        { svc: 'scm_read_file', args: { path: 'src/slugify.js' } },
      ],
    },
    {
      say: `It drops them in \`src/slugify.js:4\`.\n\n<readiness>\n{"state":"investigating","openQuestions":["Which letters?","By when?"],"note":"Two things are open."}\n</readiness>\n`,
    },
  ],
  write: [{ say: `Written up.\n\n${FINDINGS('Replace accents')}${RUN}${READY}` }],
  early: [
    {
      say: `Written up.\n\n${FINDINGS('Replace accents')}<run>\n{"workflowPath":"workflows/campaign.md","repoSlug":"titles","description":"x"}\n</run>\n${READY}`,
    },
  ],
  gone: [
    {
      say: `Written up.\n\n${FINDINGS('Replace accents')}<run>\n{"workflowPath":"workflows/none.md","repoSlug":"other","description":"x"}\n</run>\n${READY}`,
    },
  ],
  bare: [{ say: 'Nothing is written up yet.' }],
  again: [{ say: `Once more.\n\n${FINDINGS('Fold accents')}${READY}` }],
};

if (hasBrowser('plan mode in Chromium')) {
  const { stage, close } = await openPlanStage(SCRIPTS);
  test.after(close);

  test('a question is looked up and answered; findings have checked citations, are edited, and become a job (PLN-1)', async () => {
    const page = await stage.page('#/jobs', { viewport: { width: 1440, height: 900 } });
    await page.getByRole('link', { name: 'Plan', exact: true }).click();
    await page.getByRole('heading', { name: 'What should be done?' }).waitFor();
    await say(page, 'Why do titles lose letters? @@why');
    await waitForTurnEnd(page, 1);
    const id = openId(page);
    assert.match(id, /^plan-[0-9a-f]{18}$/);

    const lookups = page.locator('.lookup');
    assert.is(await lookups.count(), 2);
    await lookups.nth(1).locator('summary').click();
    await lookups.nth(1).getByText('slugify = (title)').waitFor();
    await page
      .locator('.turn .cite[data-verdict="seen"]', { hasText: 'src/slugify.js:4' })
      .waitFor();
    assert.is(await page.getByText('<readiness>').count(), 0);

    await page.getByLabel('Which letters?').fill('All with accents');
    await page.getByLabel('By when?').fill('Today @@write');
    await page.getByRole('button', { name: 'Answer all' }).click();
    await waitForTurnEnd(page, 2);
    const card = page.getByRole('region', { name: 'Findings' });
    const verdict = (ref: string) =>
      card.locator(`.cite[data-ref="${ref}"]`).first().getAttribute('data-verdict');
    await card.locator('.cite[data-verdict="missing"]').waitFor();
    assert.is(await verdict('src/slugify.js:2'), 'seen');
    assert.is(await verdict('test/slugify.test.js:9-11'), 'exists');
    assert.is(await verdict('src/slugify.js:99'), 'missing');
    assert.is(await verdict('NEW:src/accents.js'), 'new');

    await card.locator('.cite').first().click();
    const file = page.getByRole('region', { name: 'File src/slugify.js' });
    await file.locator('li.cited', { hasText: 'export const slugify' }).waitFor();
    await page.keyboard.press('Escape');
    await file.waitFor({ state: 'detached' });

    await page.keyboard.press('e');
    await card.getByRole('textbox').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\nAlso for the index.');
    await page.keyboard.press('Control+s');
    await card.getByText('edited by a person').waitFor();
    await card.getByText('Also for the index.').waitFor();

    await say(page, 'Anything else? @@again');
    await waitForTurnEnd(page, 3);
    const proposed = page.getByRole('region', { name: 'The model proposes a change to your text' });
    await proposed.locator('del', { hasText: 'Also for the index.' }).waitFor();
    await proposed.locator('ins', { hasText: 'Fold accents' }).waitFor();
    await proposed.getByRole('button', { name: 'Keep my text' }).click();
    await proposed.waitFor({ state: 'detached' });
    const investigation = await stage.client.investigation(id);
    assert.match(investigation.findings?.text ?? '', /Also for the index\./);
    assert.is(investigation.findings?.by, 'person');

    const form = page.getByRole('region', { name: 'Run' });
    assert.is(await form.getByLabel('Description').inputValue(), 'Keep accents in titles');
    await form.getByText('The model also wrote autoApprove').waitFor();
    await page.getByRole('button', { name: 'Dispatch …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dispatch this job?' });
    await dialog.getByText('The job gets the findings of this chat').waitFor();
    await dialog.getByRole('button', { name: 'Dispatch', exact: true }).click();
    await page.waitForURL(/#\/jobs\//);
    const jobId = page.url().split('#/jobs/')[1] ?? '';
    const { params } = await stage.client.job(jobId);
    assert.is(params['investigationId'], id);
    assert.is(params['autoApprove'], undefined);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long(
    'everything is done by keyboard: the page, a question, citations and files, the findings (UI-2)',
    async () => {
      const page = await stage.page('#/jobs', { viewport: { width: 1440, height: 900 } });
      await page.locator('main').focus();
      await page.keyboard.press('g');
      await page.keyboard.press('p');
      await page.getByRole('heading', { name: 'What should be done?' }).waitFor();
      await page.keyboard.press('m');
      await page.keyboard.type('Write it up. @@write');
      await page.keyboard.press('Control+Enter');
      await waitForTurnEnd(page, 1);
      await page.keyboard.press('Escape');
      await page.locator('.cite[data-verdict="missing"]').waitFor();
      await page.keyboard.press(']');
      await page.getByText('1 of 4').waitFor();
      await page.keyboard.press(']');
      await page.getByText('2 of 4').waitFor();
      await page.keyboard.press('[');
      await page.getByText('1 of 4').waitFor();
      await page.keyboard.press('Escape');
      await page.locator('.pinned-file').waitFor({ state: 'detached' });
      await page.keyboard.press('e');
      await page.locator('.findings-editor').getByRole('textbox').waitFor();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(' By keyboard.');
      await page.keyboard.press('Control+s');
      await page.getByText('edited by a person').waitFor();
      assert.match(
        (await stage.client.investigation(openId(page))).findings?.text ?? '',
        /By keyboard\./,
      );
      await closePage(page);
    },
  );

  test('findings that change while the dispatch is asked for are shown, and the question comes again (JOB-13)', async () => {
    const page = await stage.page('#/plan', { viewport: { width: 1440, height: 900 } });
    await say(page, 'Write it up. @@write');
    await waitForTurnEnd(page, 1);
    const id = openId(page);
    await page.getByRole('button', { name: 'Dispatch …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dispatch this job?' });
    const send = dialog.getByRole('button', { name: 'Dispatch', exact: true });
    await stage.client.saveInvestigation(id, { findings: { text: 'Something else.' } });
    await send.click();
    await dialog.getByText('The findings have changed since you opened this.').waitFor();
    await dialog.locator('ins', { hasText: 'Something else.' }).waitFor();
    assert.equal((await stage.client.investigation(id)).jobIds, []);
    await send.click();
    await page.waitForURL(/#\/jobs\//);
    const { jobIds, findings } = await stage.client.investigation(id);
    assert.is(jobIds.length, 1);
    const { params } = await stage.client.job(jobIds[0] ?? '');
    assert.is(params['findingsSha'], findings?.sha256);
    await closePage(page);
  });

  test('so are findings that come while a chat without any is dispatched (JOB-13)', async () => {
    const page = await stage.page('#/plan', { viewport: { width: 1440, height: 900 } });
    await say(page, 'Keep accents @@bare');
    await waitForTurnEnd(page, 1);
    const id = openId(page);
    await page.getByRole('button', { name: 'Dispatch …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dispatch this job?' });
    await dialog.getByText('This chat has no findings').waitFor();
    await stage.client.saveInvestigation(id, { findings: { text: 'Written meanwhile.' } });
    await dialog.getByRole('button', { name: 'Dispatch', exact: true }).click();
    await dialog.locator('ins', { hasText: 'Written meanwhile.' }).waitFor();
    assert.equal((await stage.client.investigation(id)).jobIds, []);
    await closePage(page);
  });

  long(
    'a message that is sent before the page has loaded loses no choice of the model (UI-2)',
    async () => {
      const page = await stage.page('#/jobs', { viewport: { width: 1440, height: 900 } });
      let release = () => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route('**/workflows', async (route) => {
        await gate;
        await route.continue();
      });
      await page.getByRole('link', { name: 'Plan', exact: true }).click();
      await say(page, 'Write it up @@early');
      await waitForTurnEnd(page, 1);
      const id = openId(page);
      assert.is((await stage.client.investigation(id)).run?.workflowPath, 'workflows/campaign.md');
      release();
      const form = page.getByRole('region', { name: 'Run' });
      await form.getByText('from the model').first().waitFor();
      assert.is(await form.getByLabel('Workflow').inputValue(), 'workflows/campaign.md');
      await closePage(page);
    },
  );

  long(
    'a workflow of the model that was left out is named, and a person has to choose one (UI-2)',
    async () => {
      const page = await stage.page('#/plan', { viewport: { width: 1440, height: 900 } });
      await say(page, 'Write it up @@gone');
      await waitForTurnEnd(page, 1);
      const form = page.getByRole('region', { name: 'Run' });
      await form
        .getByText(
          'The model chose the workflow workflows/none.md: no such workflow can be run here, so it was left out. Choose the workflow that should run.',
        )
        .waitFor();
      const dispatch = page.getByRole('button', { name: 'Dispatch …' });
      assert.is(await form.getByLabel('Workflow').inputValue(), '');
      assert.is(await dispatch.isDisabled(), true);
      await picture(page, 'plan-choose-workflow');
      await form.getByLabel('Workflow').selectOption('workflows/job.md');
      await form.getByText('The model chose the repository other').waitFor();
      assert.is(await form.getByLabel('Repository').inputValue(), '');
      assert.is(await dispatch.isDisabled(), false);
      await closePage(page);
    },
  );

  long('a chat without findings is dispatched with its description alone (JOB-13)', async () => {
    const page = await stage.page('#/plan', { viewport: { width: 1440, height: 900 } });
    await say(page, 'Why do titles lose letters? @@why');
    await waitForTurnEnd(page, 1);
    await page.getByRole('button', { name: 'Dispatch …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dispatch this job?' });
    await dialog.getByText('This chat has no findings').waitFor();
    await dialog.getByRole('button', { name: 'Dispatch', exact: true }).click();
    await page.waitForURL(/#\/jobs\//);
    const { params } = await stage.client.job(page.url().split('#/jobs/')[1] ?? '');
    assert.is(params['description'], 'Why do titles lose letters? @@why');
    assert.is(params['investigationId'], undefined);
    await closePage(page);
  });

  long('a dispatch says that an edit of the findings is not saved (UI-2)', async () => {
    const page = await stage.page('#/plan', { viewport: { width: 1440, height: 900 } });
    await say(page, 'Write it up. @@write');
    await waitForTurnEnd(page, 1);
    const unsaved = page.getByText('Your edit of the findings is not saved');
    await page.locator('.findings-text').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await page.locator('.findings-editor').getByRole('textbox').waitFor();
    await page.getByRole('button', { name: 'Dispatch …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Dispatch this job?' });
    await dialog.getByText('The job gets the findings of this chat').waitFor();
    assert.is(await unsaved.count(), 0);
    await page.keyboard.press('Escape');
    await page.locator('.findings-editor').getByRole('textbox').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('More.');
    await page.getByRole('button', { name: 'Dispatch …' }).click();
    await unsaved.waitFor();
    await closePage(page);
  });

  long(
    'a branch that has moved on is reported, and the newest commit is taken when a person asks for it (PLN-6)',
    async () => {
      const page = await stage.page('#/plan', { viewport: { width: 1440, height: 900 } });
      await say(page, 'Write it up. @@write');
      await waitForTurnEnd(page, 1);
      await page.locator('.findings-text .cite[data-verdict="exists"]').first().waitFor();
      changeSampleRepository(stage.dir, { 'src/slugify.js': 'export const slugify = String;\n' });
      await page.reload();
      const drift = page.getByText('main is 1 commit ahead of what this chat looks at');
      await drift.waitFor();
      await page.getByRole('button', { name: 'Look at the newest commit' }).click();
      await drift.waitFor({ state: 'detached' });
      await page
        .locator('.findings-text .cite[data-ref="src/slugify.js:2"][data-verdict="missing"]')
        .waitFor();
      await closePage(page);
    },
  );

  long('a message that is not sent survives a reload (UI-2)', async () => {
    const page = await stage.page('#/plan');
    await page.getByLabel('Message').fill('Half a thou');
    await page.reload();
    await page.getByRole('heading', { name: 'What should be done?' }).waitFor();
    assert.is(await page.getByLabel('Message').inputValue(), 'Half a thou');
    await closePage(page);
  });

  for (const look of LOOKS)
    long(`a chat and a new one have no faults that axe finds: ${look.name} (UI-2)`, async () => {
      const [newest] = (await stage.client.investigations()).sessions;
      const page = await stage.page(`#/plan/${newest?.sessionId}`, toContextOptions(look));
      await page.locator('.findings-text .cite[data-verdict="missing"]').first().waitFor();
      await page.getByRole('button', { name: 'Dispatch …' }).waitFor();
      await picture(page, `plan-${look.name}`);
      assert.equal(await axeFaults(page), []);
      await page.locator('.findings-text .cite[data-verdict="exists"]').first().click();
      await page.locator('li.cited').first().waitFor();
      await picture(page, `plan-file-${look.name}`);
      assert.equal(await axeFaults(page), []);
      await page.goto(`${stage.runner.url}/dashboard/#/plan`);
      await page.getByRole('heading', { name: 'What should be done?' }).waitFor();
      await picture(page, `plan-new-${look.name}`);
      assert.equal(await axeFaults(page), []);
      await closePage(page);
    });
}

test.run();
