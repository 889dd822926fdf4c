import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';

const test = suite('browser: guardrails');

/** Brings a file that decides what runs elsewhere, and tries again each time it is started. */
const OPENS = `
if (git('branch', '--list', 'change') === '') {
  git('switch', '-q', '-c', 'change');
  writeFileSync('.gitlab-ci.yml', 'job: {}');
  git('add', '--all');
  git('commit', '-q', '-m', 'one');
}
try { tool('local_create_pr', { head: 'change', title: 'A change' }); } catch (error) { console.log(error.message); }
`;

/** A change of many lines, of one more each time. */
const OPENS_OTHERS = `
const lines = 10 + Number(git('rev-list', '--count', 'HEAD'));
git('switch', '-q', '-C', 'longer');
writeFileSync('long.txt', 'one\\n'.repeat(lines));
git('add', '--all');
git('commit', '-q', '-m', 'again');
try { tool('local_create_pr', { head: 'longer', title: 'A change' }); } catch (error) { console.log(error.message); }
`;

if (hasBrowser('guardrails in Chromium')) {
  const stage = await DashboardStage.open(
    { opens: OPENS, others: OPENS_OTHERS },
    { guardrails: { rules: [{ id: 'large-diff', limit: 5 }] } },
  );
  test.after(() => stage.close());

  test('a person allows what a rule stopped, and the page shows it (CFG-4, UI-1)', async () => {
    const job = await stage.job('opens', 'Run the tests elsewhere');
    await stage.until(job, ({ parked }) => parked?.kind === 'developer');
    const page = await stage.page(`#/jobs/${job}`);
    const allow = page.getByRole('button', { name: 'Allow exactly this change' });
    await allow.waitFor();
    const card = await page.locator('.ask').first().textContent();
    assert.match(card ?? '', /The guardrail no-workflow-file-change stopped the job/);
    assert.match(card ?? '', /Stopped: create_pr, phase work/);
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `card ${width} ${colorScheme}`);
      await picture(page, `guardrail-card-${width}-${colorScheme}`);
    }
    await allow.click();
    const jobWithPr = await stage.until(job, ({ prMappings }) => prMappings.length > 0);
    assert.is(jobWithPr.prMappings[0]?.head, 'change');
    await page.keyboard.press('g');
    await page.keyboard.press('g');
    const decision = page.getByRole('region', { name: 'Latest decisions' }).getByRole('listitem');
    await decision.first().waitFor();
    assert.match(
      (await decision.first().textContent()) ?? '',
      /Asked a person.*no-workflow-file-change.*create_pr, phase work.*allowed/,
    );
    const rules = page.getByRole('region', { name: 'Rules' });
    assert.match((await rules.textContent()) ?? '', /large-diff.*Ask a person/);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('a change that differs from the allowed one is shown beside it (CFG-4, UI-1)', async () => {
    const job = await stage.job('others', 'Run them elsewhere again');
    const stopped = await stage.until(job, ({ parked }) => parked?.kind === 'developer');
    const page = await stage.page(`#/jobs/${job}`);
    await page.getByRole('button', { name: 'Allow exactly this change' }).click();
    await stage.until(
      job,
      ({ parked }) => parked?.kind === 'developer' && parked.since !== stopped.parked?.since,
    );
    const before = page.locator('.ask .notice');
    await before.getByText('A person has allowed another change before').waitFor();
    assert.equal(await before.locator('dt').allTextContents(), ['Allowed', 'Now']);
    await page.getByRole('button', { name: 'Allow any size in this job' }).waitFor();
    assert.equal(await axeFaults(page), []);
    assert.equal(stage.problems, []);
    await closePage(page);
  });
}

test.run();
