import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { parseWorkflow } from '../../src/workflows/definition/parseWorkflow.ts';
import { parseScript } from '../../src/workflows/simulation/parseScript.ts';
import { simulate } from '../../src/workflows/simulation/simulate.ts';
import { picture } from '../support/browser/pageChecks.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: writing workflows');
const long = longLane(test);

const JOB = readFileSync(join(import.meta.dirname, '../../intelligence/workflows/job.md'), 'utf8');

/** Replaces what the editor holds, as a person does by pasting. */
async function write(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

const readFindings = (page: Page): Promise<string[]> => page.locator('.finding').allInnerTexts();
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

if (hasBrowser('the page for workflows')) {
  const stage = await DashboardStage.open();
  test.after(() => stage.close());
  const open = (hash: string): Promise<Page> => stage.page(hash);

  test('all workflows and agents with the layer that counts, and the chart beside the text (UI-4, INT-5)', async () => {
    const page = await open('#/workflows/workflows/sub-run.md');
    await page.locator('.drawing .graph-svg').waitFor();
    const files = (await page.locator('.file-list a').allInnerTexts()).map(oneLine);
    assert.ok(files.includes('sub-run base') && files.includes('coder tenant'), files.join(', '));
    assert.is(await page.locator('.file-head .pill').innerText(), 'base');
    await page.getByRole('status').filter({ hasText: 'No findings' }).waitFor();
    const first = await page.locator('.cm-line').first().innerText();
    assert.is(first, '---');
    await closePage(page);
  });

  test('findings of the linter are shown in place and in a list that leads there, and the chart follows the text (UI-4)', async () => {
    const page = await open('#/workflows/workflows/campaign.md');
    await page.locator('.cm-content').waitFor();
    const text = JOB.replace('agents/coder.md', 'agents/codr.md')
      .replace('name: testing', 'name: trying')
      .replace('status: reporting', 'status: Reporting');
    await write(page, text);
    await page.locator('.finding').first().waitFor();
    const { diagnostics } = await stage.client.lintWorkflow({
      path: 'workflows/campaign.md',
      text,
    });
    assert.equal(
      diagnostics.map(({ code }) => code),
      ['missing-agent', 'bad-status'],
    );
    assert.equal(
      (await readFindings(page)).map(oneLine),
      diagnostics.map(
        ({ severity, line, column, message, hint, code }) =>
          `${severity} ${line}:${column} ${message} ${hint} ${code}`,
      ),
    );
    await page.locator('.drawing').getByText('trying', { exact: true }).first().waitFor();

    await page.locator('.finding').last().click();
    const place = await page.evaluate(() => {
      const root = document.querySelector('.editor-mount')?.shadowRoot;
      return {
        active: root?.activeElement?.className.includes('cm-content'),
        line: root?.querySelector('.cm-activeLine')?.textContent,
      };
    });
    assert.is(await page.locator('.cm-lintRange-error', { hasText: 'Reporting' }).count(), 1);
    assert.equal(place, { active: true, line: '    status: Reporting' });
    assert.ok(
      await page.getByRole('button', { name: 'Save' }).isDisabled(),
      'a file with errors is not saved',
    );
    await closePage(page);
  });

  long('unsaved changes are back when the page is opened again, and can be discarded', async () => {
    const page = await open('#/workflows/agents/coder.md');
    await page.locator('.cm-content').waitFor();
    await write(page, 'Only this.\n');
    await page.locator('.file-list [aria-current] .needs-you').waitFor();
    await page.reload();
    await page.locator('.cm-line', { hasText: 'Only this.' }).waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.is(await page.locator('.cm-line', { hasText: 'Only this.' }).count(), 1);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.locator('.cm-line', { hasText: 'Only this.' }).waitFor({ state: 'detached' });
    assert.is(await page.locator('.file-list .needs-you').count(), 0);
    await closePage(page);
  });

  long(
    'simulate in the page: a script of the CLI, its mistakes by line, and each moment shown in the chart (UI-4)',
    async () => {
      const page = await open('#/workflows/workflows/job.md');
      const form = page.getByRole('form', { name: 'Simulate' });
      await form.getByLabel('Script').fill('- reject\n- expect: { phase: planning }\n');
      await form.getByRole('button', { name: 'Simulate' }).click();
      await form.getByText(/^Complete after \d/).waitFor();
      await form.getByText('6 of 6 phases reached.').waitFor();
      const table = parseWorkflow(JOB, 'workflows/job.md').sketch;
      assert.ok(table);
      const { timeline } = await simulate({
        workflow: table,
        workflowPath: 'workflows/job.md',
        steps: parseScript('- reject\n- expect: { phase: planning }\n', 'script.yml'),
      });
      const moments = form.getByRole('list', { name: 'What happened' }).getByRole('button');
      assert.is(await moments.count(), timeline.length);
      await moments.filter({ hasText: 'coding' }).first().click();
      await page.locator('.drawing .node.now[aria-label*="State coding, current"]').waitFor();

      await form.getByLabel('Script').fill('- approve\n- expect: { phase: nowhere }\n');
      // The result that is shown is of another script.
      await form.getByText('Of an earlier text or script.').waitFor();
      assert.is(await form.locator('.older-result.old').count(), 1);
      await page.keyboard.press('Control+Enter');
      await form.getByText('2:3').waitFor();
      await form.getByText('not nowhere').waitFor();
      await form.getByLabel('Script').fill('- aprove\n');
      await page.keyboard.press('Control+Enter');
      await form.getByText('Unknown step aprove').waitFor();
      await form.getByLabel('Add a step').selectOption({ label: 'A pull request is merged' });
      assert.is(await form.getByLabel('Script').inputValue(), '- aprove\n- event: merged\n');
      await page.setViewportSize({ width: 390, height: 844 });
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
        'nothing is wider than a phone',
      );
      await closePage(page);
    },
  );

  long(
    'an arrow is simulated by a click, its way is drawn, and the address leads back to the selection and the zoom (UI-3, UI-4)',
    async () => {
      const page = await open('#/workflows/workflows/job.md');
      const way = page.locator('.drawing .way', { hasText: 'a review or comment' });
      await way.click();
      await page.getByRole('button', { name: 'Simulate this' }).click();
      await page.getByText('6 of 6 phases reached.').waitFor();
      assert.is(
        await page.getByLabel('Script').inputValue(),
        '- { in: awaiting-merge, event: changes_requested }\n',
      );
      // Back from the review as well: one arrow more than there are phases.
      assert.is(await page.locator('.drawing .edge.trail').count(), 7);
      assert.match(
        (await page.locator('.drawing .trail-note').allTextContents()).join('\n'),
        /^1 · 0:00:00$/m,
      );
      await page
        .locator('.drawing')
        .getByRole('button', { name: /step \d+ \(\d+:\d\d:\d\d\) of the path/ })
        .first()
        .waitFor();

      await page.getByRole('button', { name: 'Export' }).click();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as XState module' }).click();
      assert.is((await saved).suggestedFilename(), 'job.machine.ts');
      await page.getByRole('button', { name: 'Export' }).click();
      const savedJson = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as XState JSON' }).click();
      const json = await savedJson;
      assert.is(json.suggestedFilename(), 'job.machine.json');
      assert.is(JSON.parse(readFileSync(await json.path(), 'utf8')).initial, 'planning');
      const zoom = page.locator('.drawing output');
      await page.getByRole('button', { name: 'Zoom in' }).click();
      const before = await zoom.textContent();
      const { hash } = new URL(page.url());
      assert.match(hash, /\?arrow=awaiting-merge%23\d+&zoom=\d+$/);
      await page.reload();
      await page.locator('.drawing .way[aria-pressed=true]').waitFor();
      assert.is(await zoom.textContent(), before);
      assert.is(new URL(page.url()).hash, hash);
      await closePage(page);
    },
  );

  long('the way to a broken invariant is drawn in the chart (UI-4)', async () => {
    const page = await open('#/workflows/workflows/sub-run.md');
    await page.locator('.drawing .graph-svg').waitFor();
    await write(
      page,
      JOB.replace(
        '\nphases:',
        '\ninvariants:\n  - { id: reviewed, before: testing, need: approved(coding) }\nphases:',
      ),
    );
    const proofs = page.getByRole('region', { name: 'Invariants' });
    const way = page.locator('.drawing .edge.trail');
    // The first one is drawn at once.
    await way.first().waitFor();
    await proofs.getByRole('button', { name: 'Show in the chart', pressed: true }).click();
    await way.first().waitFor({ state: 'detached' });
    await proofs.getByRole('button', { name: 'Show in the chart', pressed: false }).click();
    await way.first().waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await closePage(page);
  });

  long('phases with long names are drawn whole', async () => {
    const page = await open('#/workflows/workflows/sub-run.md');
    await page.locator('.drawing .graph-svg').waitFor();
    const name = 'collect-the-requirements-of-every-team-and-write-it';
    await write(page, JOB.replaceAll('awaiting-merge', name));
    await page.locator('.drawing').getByText('collect-the-').first().waitFor();
    const cut = await page.locator('.drawing .graph-scroll').evaluate((box) => {
      const right = box.getBoundingClientRect().right;
      return [...box.querySelectorAll('.node .box')].filter(
        (node) => node.getBoundingClientRect().right > right,
      ).length;
    });
    assert.is(cut, 0);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await closePage(page);
  });

  test('a new workflow is written, fixed, saved to the tenant layer, and can be dispatched (INT-7)', async () => {
    const page = await open('#/workflows');
    await page.getByRole('button', { name: 'New workflow' }).click();
    await page.getByLabel('Name').fill('tidy');
    await page.keyboard.press('Enter');
    await page.locator('.cm-line', { hasText: 'label: tidy' }).waitFor();
    await page.locator('.drawing .graph-svg').waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('Tidy up.\n');
    await page.getByRole('status').filter({ hasText: 'No findings' }).waitFor();
    await page.keyboard.press('Control+s');
    await page.locator('.file-head .pill', { hasText: 'tenant' }).waitFor();
    const { file } = await stage.client.intelligenceFile({ path: 'workflows/tidy.md' });
    assert.equal(file.layer, 'tenant');
    assert.equal(file.text.endsWith('Tidy up.\n'), true);
    assert.ok((await stage.client.workflows()).some(({ id }) => id === 'tidy'));
    assert.is(await page.locator('.file-list .needs-you').count(), 0);
    await closePage(page);
  });

  test('another user’s change is not overwritten: the text stays, and the conflict is reported', async () => {
    const page = await open('#/workflows/workflows/tidy.md');
    await page.locator('.cm-content').waitFor();
    const { etag, file } = await stage.client.intelligenceFile({ path: 'workflows/tidy.md' });
    await stage.client.writeIntelligenceFile('workflows/tidy.md', `${file.text}Theirs.\n`, etag);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.insertText('Mine.\n');
    await page.getByRole('status').filter({ hasText: 'No findings' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('has changed since you read it').waitFor();
    assert.ok((await page.locator('.cm-content').innerText()).includes('Mine.'));
    assert.ok(
      (await stage.client.intelligenceFile({ path: 'workflows/tidy.md' })).file.text.endsWith(
        'Theirs.\n',
      ),
    );
    await page.getByText('From the saved text to yours').click();
    await page.locator('.plan-diff .removed', { hasText: 'Theirs.' }).waitFor();
    await picture(page, 'changed-meanwhile');
    await page.getByRole('button', { name: 'Keep my text' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('workflows/tidy.md saved.').waitFor();
    const { file: savedFile } = await stage.client.intelligenceFile({ path: 'workflows/tidy.md' });
    assert.ok(savedFile.text.endsWith('Mine.\n'));
    await closePage(page);
  });

  long('with the layer of a repository, its files are shown read-only', async () => {
    const repo = join(stage.dir, 'titles-work');
    mkdirSync(join(repo, '.svc/agents'), { recursive: true });
    writeFileSync(join(repo, '.svc/agents/coder.md'), 'Code as this repository wants it.\n');
    const git = (...args: string[]) =>
      execFileSync(
        'git',
        ['-C', repo, '-c', 'user.name=Ana', '-c', 'user.email=ana@svc.invalid', ...args],
        { stdio: 'pipe' },
      );
    git('add', '-A');
    git('commit', '-qm', 'An agent of our own');
    git('push', '--quiet', join(stage.dir, 'titles.git'), 'main');
    const page = await open('#/workflows/agents/coder.md');
    await page.locator('.file-head .pill', { hasText: 'tenant' }).waitFor();
    await page.getByLabel('Preview with repository').selectOption('titles');
    await page.locator('.file-head .pill', { hasText: 'repo' }).waitFor();
    await page.locator('.cm-line', { hasText: 'Code as this repository wants it.' }).waitFor();
    await page.locator('.cm-content').click();
    await page.keyboard.insertText('No.');
    assert.is(
      await page.locator('.cm-line').first().innerText(),
      'Code as this repository wants it.',
    );
    assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
    await page.getByLabel('Preview with repository').selectOption('');
    await page.locator('.file-head .pill', { hasText: 'tenant' }).waitFor();
    assert.is(
      await page.locator('.file-list .needs-you').count(),
      0,
      'viewing a file creates no draft',
    );
    await closePage(page);
  });

  long(
    'memory is shown as agents see it, line by line with its layer, and an older version is restored (INT-7)',
    async () => {
      const path = 'memory/notes.md';
      const { etag } = await stage.client.writeIntelligenceFile(path, 'First.\n', null);
      await stage.client.writeIntelligenceFile(path, 'Second.\n', etag);
      const page = await open(`#/workflows/${path}`);
      await page.getByRole('button', { name: 'As agents see it' }).click();
      const line = page.getByRole('row', { name: /tenant Second\./ });
      await line.waitFor();
      await picture(page, 'merged');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Who changed it' }).click();
      await page.getByText('created by developer').waitFor();
      await page.getByRole('button', { name: 'Compare version 1' }).click();
      await page.locator('.plan-diff .removed', { hasText: 'First.' }).waitFor();
      await picture(page, 'file-versions');
      await page.getByRole('button', { name: 'Restore version 1' }).click();
      await page.locator('.cm-line', { hasText: 'First.' }).waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText(`${path} saved.`).waitFor();
      assert.is((await stage.client.intelligenceFile({ path })).file.text, 'First.\n');
      await closePage(page);
    },
  );

  long(
    'the version of a lower layer is read-only; it is used again when the tenant’s file is deleted',
    async () => {
      const page = await open('#/workflows/agents/tester.md');
      await page.locator('.cm-line').first().waitFor();
      await page.getByRole('button', { name: 'base', exact: true }).click();
      await page.getByText('It has no effect').waitFor();
      const base = await stage.client.intelligenceFile({ path: 'agents/tester.md', layer: 'base' });
      const [first = ''] = base.file.text.split('\n');
      await page.locator('.cm-line:visible').first().getByText(first, { exact: true }).waitFor();
      await page.locator('.cm-content:visible').click();
      await page.keyboard.insertText('No.');
      assert.is(await page.locator('.cm-line:visible').first().innerText(), first);

      await page.getByRole('button', { name: 'tenant (counts)' }).click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByText("Running jobs use the base layer's version").waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.locator('.file-head .pill', { hasText: 'base' }).waitFor();
      assert.is(
        (await stage.client.intelligenceFile({ path: 'agents/tester.md' })).file.layer,
        'base',
      );
      assert.is(
        await page.getByRole('button', { name: 'Delete' }).count(),
        0,
        'a built-in file cannot be deleted here',
      );
      await closePage(page);
    },
  );

  long(
    'a text that this browser cannot store is not lost with the page: it asks first',
    async () => {
      const page = await open('#/workflows/workflows/sub-run.md');
      await page.locator('.cm-content').waitFor();
      await page.evaluate(() => {
        Storage.prototype.setItem = () => {
          throw new DOMException('full', 'QuotaExceededError');
        };
      });
      const asks = () =>
        page.evaluate(() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true })));
      assert.is(await asks(), false);
      await write(page, 'Written in a private window.\n');
      await page.getByRole('button', { name: 'Discard changes' }).waitFor();
      assert.is(await asks(), true);
      await closePage(page);
    },
  );

  test('the editor breaks no rule of the page: no error, no refusal of the policy, no request elsewhere', () => {
    // The refused save is an answer with 412, the script with mistakes one with 422: the browser logs
    // both itself.
    assert.equal(
      stage.problems.filter((problem) => !/ 4[12]2 /.test(problem)),
      [],
    );
  });
}

test.run();
