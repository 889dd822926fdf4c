import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, picture } from '../support/browser/pageChecks.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: a pull request is reviewed');
const long = longLane(test);

const FILES = 1_000;
/** Elements of a whole page with a diff of any length. */
const MOST_ELEMENTS = 2_500;
/** How far a step of a wheel leads, px. */
const WHEEL_PX = 600;
/** Nodes that 200 steps may make; without using any again they make more than 20,000. */
const MOST_NODES_MADE = 1_000;
const signals = mkdtempSync(join(tmpdir(), 'svc-review-'));

/** Opens a pull request with many files, and a second one when it is asked to. */
const AUTHOR = `
import { chmodSync, existsSync, mkdirSync, renameSync } from 'node:fs';
const put = (path, text) => { mkdirSync(path.replace(/[^/]*$/, '.'), { recursive: true }); writeFileSync(path, text); };
const lines = (many, of) => Array.from({ length: many }, (_, n) => of(n)).join('\\n') + '\\n';
git('switch', '--quiet', '-c', 'wide');
for (let n = 0; n < ${FILES}; n++) put('lib/part-' + (n % 25) + '/file-' + n + '.ts', lines(12, (line) => 'export const value' + line + ' = "' + n + '";'));
put('a/bare.txt', 'no line break');
put('a/level.js', 'const level = "user\\u202E \\u2066// admin\\u2069 \\u2066";\\nconst zero = "a\\u200Bb";\\n');
// A picture of one point.
put(
  'a/picture.png',
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
    'base64',
  ),
);
put('a/data.bin', Buffer.from([0, 1, 2, 0]));
put('a/wide.txt', 'x'.repeat(300_000) + '\\n');
put('a/large.py', lines(2_000, (n) => 'def f' + n + '(x): return x'));
put('package-lock.json', '{}\\n');
renameSync('package.json', 'a/package.json');
put('src/slugify.js', run('cat', ['src/slugify.js']).replace('toLowerCase', 'toUpperCase') + '\\n');
chmodSync('src/slugify.js', 0o755);
git('add', '--all'); git('commit', '--quiet', '-m', 'wide');
tool('local_create_pr', { head: 'wide', title: 'Wide \\u202Eevil', body: '' });
while (!existsSync(${JSON.stringify(join(signals, 'second'))})) await new Promise((resolve) => setTimeout(resolve, 50));
git('switch', '--quiet', '-c', 'second');
put('second.txt', 'x\\n'); git('add', '--all'); git('commit', '--quiet', '-m', 'second');
tool('local_create_pr', { head: 'second', title: 'Another one', body: '' });
await new Promise(() => setInterval(() => {}, 1000));
`;

const PR = 'local:titles#1';
const changes = (job: string, prId = PR) => `#/jobs/${job}/changes/${encodeURIComponent(prId)}`;

/** Presses keys and counts them; a text that is typed is not counted. */
async function press(page: Page, ...keys: string[]): Promise<number> {
  for (const key of keys) await page.keyboard.press(key);
  return keys.length;
}

const showFile = async (page: Page, name: string) => {
  await page.getByRole('searchbox', { name: 'Filter files' }).fill(name);
  await page.getByRole('searchbox', { name: 'Filter files' }).press('Enter');
  return page.getByRole('region', { name: `Changes in ${name}` });
};

if (hasBrowser('reviews in Chromium')) {
  const stage = await DashboardStage.open(
    { author: AUTHOR },
    // The changes are as large as a page must bear.
    {
      guardrails: {
        rules: [
          { id: 'large-diff', limit: 100_000 },
          { id: 'large-diff-files', limit: 100_000 },
          { id: 'large-diff-bytes', limit: 100_000_000 },
        ],
      },
    },
  );
  test.after(async () => {
    await stage.close();
    rmSync(signals, { recursive: true, force: true });
  });
  const job = await stage.job('author', 'Change a lot');
  await stage.until(job, ({ prMappings }) => prMappings.length === 1);
  const reviewPage = async (options = {}) => {
    const page = await stage.page(changes(job), options);
    await page.locator('.diff-file tr.added').first().waitFor();
    return page;
  };
  const threads = async () => (await stage.client.jobPullRequest(job, PR)).reviewThreads;

  test('a diff of 1,000 files is a few elements at its start, in its middle and at its end (UI-1)', async () => {
    const page = await reviewPage();
    const elements = () => page.evaluate(() => document.querySelectorAll('*').length);
    const counts = [await elements()];
    for (const part of [0.5, 1]) {
      await page.evaluate((at) => scrollTo(0, document.body.scrollHeight * at), part);
      await page.locator('.diff-file tr').first().waitFor();
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
      counts.push(await elements());
    }
    assert.ok(Math.max(...counts) < MOST_ELEMENTS, counts.join());
    await page.getByText(`0 of ${FILES + 9} viewed`).waitFor();
    await picture(page, 'review-1440-light');
    await closePage(page);
  });

  long(
    'scrolling uses the elements of the diff again: hardly any node is made (UI-1)',
    async () => {
      const page = await reviewPage({ viewport: { width: 1280, height: 900 } });
      /** Wheels through part of the diff; answers how many nodes the document had not had before. */
      const wheel = (steps: number) =>
        page.evaluate(
          async ({ steps: stepCount, px }) => {
            const known = new WeakSet<Node>();
            const all = document.createTreeWalker(document.body);
            while (all.nextNode()) known.add(all.currentNode);
            let madeCount = 0;
            const observer = new MutationObserver((changes) => {
              for (const added of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
                const inside = document.createTreeWalker(added);
                do {
                  if (!known.has(inside.currentNode)) madeCount += 1;
                  known.add(inside.currentNode);
                } while (inside.nextNode());
              }
            });
            observer.observe(document.body, { childList: true, subtree: true });
            for (let step = 0; step < stepCount; step++) {
              scrollBy(0, px);
              await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
            }
            observer.disconnect();
            return madeCount;
          },
          { steps, px: WHEEL_PX },
        );
      // The window has everything that it needs after a first part.
      await wheel(20);
      const nodeCount = await wheel(200);
      assert.ok(nodeCount <= MOST_NODES_MADE, `${nodeCount} nodes were made`);
      await closePage(page);
    },
  );

  long(
    'lines that fly past have no colours; where the reader stops, they have (UI-1)',
    async () => {
      const page = await reviewPage({ viewport: { width: 1280, height: 900 } });
      const coloured = page.locator('.slab span[class*="code-"]');
      await coloured.first().waitFor();
      const whileFlying = await page.evaluate(async (px) => {
        let most = 0;
        for (let step = 0; step < 40; step++) {
          scrollBy(0, 5 * px);
          await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
          // The first two looks find out that it is fast.
          const count = document.querySelectorAll('.slab span[class*="code-"]').length;
          if (step > 10) most = Math.max(most, count);
        }
        return most;
      }, WHEEL_PX);
      assert.is(whileFlying, 0);
      await coloured.first().waitFor();
      await closePage(page);
    },
  );

  test('what cannot be seen is shown by name, and what no line shows is said', async () => {
    const page = await reviewPage();
    const level = await showFile(page, 'a/level.js');
    await level.getByText('U+202E', { exact: true }).waitFor();
    await level.getByText('U+200B', { exact: true }).waitFor();
    assert.not.match(
      (await page.locator('main').textContent()) ?? '',
      /[\u202A-\u202E\u2066-\u2069]/,
    );
    const says = async (name: string, text: string | RegExp) => {
      const file = await showFile(page, name);
      await file.getByText(text).first().waitFor();
    };
    await says('a/bare.txt', 'No newline at end of file');
    await says('a/picture.png', 'After 1 × 1');
    await says('a/data.bin', /Its contents are not shown/);
    await says('a/package.json', 'Renamed without changes.');
    await says('src/slugify.js', /Mode changed from 100644 .* to 100755/);
    await says('package-lock.json', /Lock file/);
    await says('a/large.py', /Large: 2,000 changed lines/);
    await says('a/wide.txt', /Show 5,000 of 299,500 more characters/);
    await closePage(page);
  });

  long('lines have colours, and the words that changed are marked', async () => {
    const page = await reviewPage();
    const file = await showFile(page, 'src/slugify.js');
    await file.locator('.code-keyword', { hasText: 'export' }).waitFor();
    assert.equal(await file.locator('.removed .marked').allTextContents(), ['Lower']);
    assert.equal(await file.locator('.added .marked').allTextContents(), ['Upper']);
    await page.getByRole('button', { name: 'Side by side' }).click();
    const row = file.locator('tr', { hasText: 'toLowerCase' });
    assert.match((await row.textContent()) ?? '', /toUpperCase/);
    await page.getByRole('button', { name: 'Unified' }).click();
    await closePage(page);
  });

  test('a review with four comments takes 15 keys, survives a reload, and is sent as one', async () => {
    const page = await reviewPage();
    let keys = await press(page, ']');
    for (const text of ['One.', 'Two.', 'Three.', 'Four.']) {
      keys += await press(page, 'j', 'Enter');
      await page.keyboard.type(text);
      // What is written survives the reload, though it was not added to the review.
      if (text === 'Four.') {
        await page.reload();
        // Only what is near the window is drawn, and a reload may begin at the top.
        await showFile(page, 'lib/part-0/file-0.ts');
        const field = page.getByRole('textbox', { name: /^Comment on lib\/part-0\/file-0.ts/ });
        assert.is(await field.inputValue(), 'Four.');
        await field.focus();
      }
      keys += await press(page, 'Control+Enter');
    }
    assert.equal(await threads(), []);
    await page.getByRole('button', { name: 'Finish review (4)' }).waitFor();
    keys += await press(page, 'f', 'Enter');
    await page.getByText('Review sent.').waitFor();
    assert.is(keys, 15);
    const pullRequest = await stage.client.jobPullRequest(job, PR);
    assert.equal(pullRequest.thread.map(({ body }) => body).sort(), [
      'Four.',
      'One.',
      'Three.',
      'Two.',
    ]);
    assert.is(pullRequest.reviews.length, 1);
    await page.getByRole('button', { name: 'Finish review', exact: true }).waitFor();
    assert.is(await page.locator('.thread').count(), 4);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long('a thread is answered and resolved; several lines get a suggestion', async () => {
    const page = await reviewPage();
    const file = await showFile(page, 'src/slugify.js');
    const line = (text: string) => file.locator('tr', { hasText: text }).first();
    await line('export const').hover();
    await line('export const')
      .getByRole('button', { name: /^Comment on line/ })
      .click();
    await page.keyboard.press('Escape');
    await line("'-')").hover();
    await line("'-')")
      .getByRole('button', { name: /^Comment on line/ })
      .click({ modifiers: ['Shift'] });
    await file.getByText(/lines 2 to 5/).waitFor();
    await page.getByRole('button', { name: 'Suggest a change' }).click();
    await page.getByRole('button', { name: 'Send now' }).click();
    const suggestion = file.locator('.suggestion');
    await suggestion.locator('tr.added', { hasText: 'toUpperCase' }).waitFor();

    const thread = file.locator('.thread');
    await thread.getByRole('button', { name: 'Reply' }).click();
    await page.keyboard.type('An answer.');
    await page.getByRole('button', { name: 'Send now' }).click();
    await thread.getByText('An answer.').waitFor();
    await thread.getByRole('button', { name: 'Resolve' }).click();
    await thread.getByText(/^Resolved · 2 comments/).waitFor();
    const resolved = (await threads()).filter((one) => one.resolved);
    assert.equal(
      resolved.map(({ path, line: at }) => `${path}:${at}`),
      ['src/slugify.js:5'],
    );
    await closePage(page);
  });

  long(
    'an answer that is being typed keeps its field while others answer in the same thread',
    async () => {
      const page = await reviewPage();
      const { headCommit: head } = await stage.client.jobPullRequest(job, PR);
      const path = 'lib/part-1/file-1.ts';
      const say = (comment: { body: string; line: number } | { body: string; replyTo: string }) =>
        stage.client.reviewPullRequest(job, PR, { head, comments: [{ path, ...comment }] });
      await say({ body: 'Why this value?', line: 1 });
      const file = await showFile(page, path);
      const thread = file.locator('.thread');
      await thread.getByText('Why this value?').waitFor();
      await thread.getByRole('button', { name: 'Reply' }).click();
      await page.keyboard.type('Because of ');
      const replyTo = (await threads()).find((one) => one.path === path)?.commentIds[0] ?? '';
      await say({ body: 'I wonder too.', replyTo });
      await thread.getByText('I wonder too.').waitFor();
      await page.keyboard.type('the test.');
      const field = thread.getByRole('textbox', { name: `Reply in ${path}` });
      assert.is(await field.inputValue(), 'Because of the test.');
      assert.is(await field.evaluate((element) => element === document.activeElement), true);
      await page.getByRole('button', { name: 'Discard' }).click();
      await closePage(page);
    },
  );

  long('a file that was viewed stays closed after a reload', async () => {
    const page = await reviewPage();
    const file = await showFile(page, 'a/level.js');
    await file.getByRole('checkbox').check();
    await page.reload();
    await page.getByText(`1 of ${FILES + 9} viewed`).waitFor();
    await showFile(page, 'a/level.js');
    assert.is(await file.locator('tr').count(), 0);
    await file.getByText('Viewed.').waitFor();
    await closePage(page);
  });

  test('a merge asks with the facts, and an approval in svc names the commit; neither is the loudest button', async () => {
    const page = await reviewPage();
    const { headCommit } = await stage.client.jobPullRequest(job, PR);
    assert.equal(await page.locator('.review-bar .primary').allTextContents(), ['Finish review']);
    await page.getByRole('button', { name: 'Merge …', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const text = (await dialog.textContent()) ?? '';
    for (const fact of [
      'wide into main',
      headCommit.slice(0, 10),
      'none reported',
      `viewed 0 of ${FILES + 9}`,
    ])
      assert.ok(text.includes(fact), `${fact} is missing: ${text}`);
    await page.keyboard.press('Escape');
    assert.is((await stage.client.jobPullRequest(job, PR)).state, 'open');

    await page.getByRole('button', { name: 'Approve in svc' }).click();
    await dialog.getByText(headCommit.slice(0, 10)).waitFor();
    await dialog.getByRole('button', { name: 'Approve in svc' }).click();
    await page.getByText(/Approvals: developer \(in svc\)/).waitFor();
    await closePage(page);
  });

  test('a merge that a work tree would refuse cannot be asked for; the reason and the command are shown, and gone once it is clean', async () => {
    const page = await stage.page('#/');
    const why = "Merge with your own git: git -C '/home/ann/shop' merge --no-ff 'wide'.";
    let isRefused = true;
    await page.route(/\/pull-requests\/local%3Atitles%231$/, async (route) => {
      const response = await route.fetch();
      const detail = await response.json();
      await route.fulfill({
        response,
        json: isRefused ? { ...detail, mergeRefusal: why } : detail,
      });
    });
    await page.goto(`${page.url().split('#')[0]}${changes(job)}`);
    // The inbox may have read the pull request ahead.
    await page.reload();
    await page.getByText(why).waitFor();
    const merge = page.getByRole('button', { name: 'Merge …', exact: true });
    assert.is(await merge.isDisabled(), true);
    isRefused = false;
    await page.getByText(why).waitFor({ state: 'detached' });
    assert.is(await merge.isEnabled(), true);
    await closePage(page);
  });

  test('a new pull request and new commits are announced; what is read and written stays', async () => {
    const page = await stage.page(`#/jobs/${job}/changes`);
    await page.locator('.diff-file tr.added').first().waitFor();
    await press(page, ']', 'j', 'Enter');
    await page.keyboard.type('Half a sen');
    const top = () => page.evaluate(() => scrollY);
    const before = await top();
    writeFileSync(join(signals, 'second'), '');
    await page.getByText(/The agent has opened titles#2/).waitFor();
    await page.keyboard.type('tence');
    const field = page.getByRole('textbox', { name: /^Comment on a\/level.js/ });
    assert.is(await field.inputValue(), 'Half a sentence');
    assert.match(page.url(), /changes\/local%3Atitles%231$/);

    const work = join(signals, 'work');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', work, '-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
        stdio: 'pipe',
      });
    execFileSync('git', [
      'clone',
      '--quiet',
      '--branch',
      'wide',
      join(stage.dir, 'titles.git'),
      work,
    ]);
    writeFileSync(join(work, 'more.txt'), 'more\n');
    git('add', '--all');
    git('commit', '--quiet', '-m', 'more');
    git('push', '--quiet', 'origin', 'wide');
    // The same place on the other branch: a conflict.
    git('switch', '--quiet', 'main');
    writeFileSync(join(work, 'src/slugify.js'), 'something else\n');
    git('commit', '--quiet', '-am', 'else');
    git('push', '--quiet', 'origin', 'main');
    await stage.client.message(job, { message: 'Continue.' });
    await page.getByText('The branch has new commits.').waitFor();
    assert.is(await field.inputValue(), 'Half a sentence');
    assert.ok((await top()) >= before);
    await page.getByText(`of ${FILES + 9} viewed`).waitFor();
    await page.getByRole('button', { name: 'Show the new changes' }).click();
    await page.getByText(`of ${FILES + 10} viewed`).waitFor();
    assert.is(await field.inputValue(), 'Half a sentence');
    await page.getByRole('button', { name: 'Discard' }).click();

    await page.getByText(/Conflicts with main in src\/slugify.js/).waitFor();
    await page.getByRole('button', { name: 'Ask the agent to rebase' }).click();
    const message = page.getByRole('dialog').getByLabel('Message');
    assert.match(await message.inputValue(), /src\/slugify\.js/);
    await message.fill('Rebase, please.');
    await page.getByRole('button', { name: 'Send to the agent' }).click();
    await page.getByText('Message sent.').waitFor();
    const { messages } = await stage.client.messages(job);
    assert.ok(messages.some(({ text }) => text === 'Rebase, please.'));
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long('on a phone: one column, and a review with four comments by touch', async () => {
    const before = (await threads()).length;
    const page = await reviewPage({
      viewport: { width: 390, height: 800 },
      hasTouch: true,
      isMobile: true,
    });
    assert.is(await page.getByRole('button', { name: 'Side by side' }).count(), 0);
    // Below the conversation, which is long by now.
    await page.locator('.diff-files').evaluate((files) => files.scrollIntoView());
    const lines = page.getByRole('region', { name: 'Changes in a/level.js' });
    for (const text of ['One.', 'Two.']) {
      await lines.getByRole('button', { name: /^Comment on line 1,/ }).tap();
      await page.getByRole('textbox', { name: /^Comment on/ }).fill(text);
      await page.getByRole('button', { name: 'Add to review' }).tap();
      await lines.getByRole('button', { name: /^Comment on line 2,/ }).tap();
      await page.getByRole('textbox', { name: /^Comment on/ }).fill(text);
      await page.getByRole('button', { name: 'Add to review' }).tap();
    }
    assert.equal(await axeFaults(page), []);
    await picture(page, 'review-390-light');
    await page.getByRole('button', { name: 'Finish review (4)' }).tap();
    await page.getByRole('radio', { name: /^Request changes/ }).check();
    await page.getByRole('button', { name: 'Request changes, 4 comments' }).tap();
    await page.getByText('Review sent.').waitFor();
    assert.is((await threads()).length, before + 4);
    assert.equal(stage.problems, []);
    await closePage(page);
  });
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('reviews in Chromium'));
  });
}

test.run();
