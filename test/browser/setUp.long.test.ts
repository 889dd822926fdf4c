import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Page } from 'playwright-core';
import { closePage } from '../support/browser/closePage.ts';
import { openModelServer } from '../../demo/model/server.ts';
import { MARKER, shipped } from '../support/agents/shippedPlays.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';

const test = suite('browser: the setup wizard');

/** Most inputs from the clean home to the merged change: clicks, and fields that are typed into. */
const MOST_INPUTS = 12;

/** A home where nothing is set up. */
const CLEAN = { tenant: { overlay: { kind: 'none' } }, forges: { local: { repos: {} } } };

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

if (hasBrowser('the setup wizard in Chromium')) {
  const model = await openModelServer({ scripts: { [MARKER]: shipped } });
  // Where Ollama listens unless its default applies; and no token of another account.
  process.env.OLLAMA_HOST = new URL(model.url).host;
  for (const name of ['GITHUB_TOKEN', 'GITLAB_TOKEN', 'BITBUCKET_TOKEN']) delete process.env[name];
  const stage = await DashboardStage.open({}, CLEAN);
  test.after(async () => {
    await stage.close();
    await model[Symbol.asyncDispose]();
  });

  test('a login of an installed agent is used only when its box is checked (UI-6 CFG-5)', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'svc-page-login-'));
    await writeFile(join(dir, 'claude'), '#!/bin/sh\necho 2.1.332\n', { mode: 0o755 });
    await writeFile(join(dir, '.credentials.json'), '{}');
    const { PATH } = process.env;
    process.env.PATH = `${dir}:${PATH}`;
    process.env.CLAUDE_CONFIG_DIR = dir;
    const own = await DashboardStage.open({}, CLEAN);
    const page = await own.page('#/');
    const box = page.getByRole('checkbox', { name: /^Use the login in/ });
    const readClaude = async () => {
      const { plugins } = Object((await own.client.config()).reply.config);
      return plugins?.installed?.claude?.config?.loginDir;
    };
    await page
      .getByRole('radio', { name: /^claude/ })
      .first()
      .check();
    assert.is(await box.isChecked(), false);
    assert.is(await readClaude(), undefined);
    await box.check();
    await page.getByRole('button', { name: 'Save and continue', exact: true }).click();
    await heading(page, 'Forge').waitFor();
    assert.is(await readClaude(), dir);
    await closePage(page);
    await own.close();
    process.env.PATH = PATH;
    delete process.env.CLAUDE_CONFIG_DIR;
    await rm(dir, { recursive: true });
  });

  test('the first start leads from a clean home to a merged change with twelve inputs; a reload at each step loses nothing (UI-6 CFG-5)', async () => {
    const page = await stage.page('#/');
    let inputs = 0;
    const click = async (name: string, within: Pick<Page, 'getByRole'> = page) => {
      inputs += 1;
      await within.getByRole('button', { name, exact: true }).click();
    };
    const type = async (label: string, text: string) => {
      inputs += 1;
      await page.getByLabel(label).fill(text);
    };
    await heading(page, 'Model').waitFor();
    // Chosen as soon as the page knows what is installed.
    await page.getByRole('radio', { name: /^builtin/, checked: true }).waitFor();
    await click('Save and continue');
    await heading(page, 'Forge').waitFor();
    await page.reload();
    await type('Folder of the git repository', join(stage.dir, 'titles.git'));
    await click('Save and continue');
    await heading(page, 'Issue tracker').waitFor();
    await page.reload();
    await click('Skip for now');
    await heading(page, 'Decision layer').waitFor();
    await page.reload();
    await click('Skip for now');
    await heading(page, 'Your first job').waitFor();
    await type('What should be done?', `Retry uploads. @@${MARKER}`);
    await page.reload();
    await click('Start the first job');
    await click('Approve');
    await click('Approve', page.getByRole('dialog'));
    inputs += 1;
    await page.getByRole('link', { name: /^Changes/ }).click();
    await click('Merge …');
    await click('Merge', page.getByRole('dialog'));
    const { jobs } = await stage.client.jobs();
    const job = await stage.until(jobs[0]?.id ?? '', ({ prMappings }) =>
      prMappings.some(({ state }) => state === 'merged'),
    );
    assert.is(job.params.repoSlug, 'titles');
    assert.ok(inputs <= MOST_INPUTS, `${inputs} inputs`);
    const { reply } = await stage.client.config();
    const { setup, budgets, llm } = Object(reply.config);
    assert.equal(setup.skipped, ['tracker']);
    assert.type(setup.completedAt, 'string');
    assert.equal(budgets.day, { usd: 50 });
    assert.is(llm.defaultProvider, 'builtin');
    assert.equal(stage.problems, []);
    await closePage(page);
  });
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('the setup wizard in Chromium'));
  });
}

test.run();
