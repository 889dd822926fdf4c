import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import type { Scripts } from '../../demo/model/script.ts';
import { hasBrowser } from '../support/browser/dashboardStage.ts';
import { waitForTurnEnd, openId, openPlanStage, say } from '../support/browser/planStage.ts';
import { PATIENCE_MS } from '../support/inTime.ts';
import { Looks } from '../support/looks.ts';
import { HOSTILE_TEXTS, RAN } from '../support/hostileTexts.ts';

const test = suite('browser: turns of plan mode');

const PARAGRAPHS = Array.from(
  { length: 200 },
  (_, n) =>
    `Paragraph ${n} with *some* words and \`code\` in it, long enough to fill a line or two.`,
);
/** 20 KB of paragraphs, slow enough to reload in the middle. */
const SLOW = PARAGRAPHS.join('\n\n');
const CODE = `\`\`\`ts\n${Array.from({ length: 60 }, (_, n) => `const value${n} = ${n};`).join('\n')}\n\`\`\``;
const LIST = Array.from({ length: 40 }, (_, n) => `- item ${n} of *a* list`).join('\n');
/** About 40 KB of everything. */
const LONG = Array.from(
  { length: 12 },
  (_, n) =>
    `## Part ${n}\n\n${PARAGRAPHS.slice(n * 16, n * 16 + 16).join('\n\n')}\n\n${LIST}\n\n${CODE}`,
).join('\n\n');

const SCRIPTS: Scripts = {
  slow: [{ say: SLOW, everyMs: 10 }],
  slower: [{ say: SLOW, everyMs: 40 }],
  long: [{ say: LONG, pieceChars: 4 }],
  hostile: [{ say: `${HOSTILE_TEXTS.join('\n\n')}\n\nThe end.` }],
  breaks: [{ fail: { status: 400, message: 'This model is closed' } }],
  fine: [{ say: 'All is well.' }],
  places: [
    { calls: [{ svc: 'scm_read_file', args: { path: 'src/none.js' } }] },
    {
      say: '<findings>\nRead `src/slugify.js:2`, then `README.md:1`; add `NEW:a/later.js`.\n</findings>\n',
    },
  ],
};

/** Resolves once it is so, as the runner answers. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const looks = new Looks();
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`waited ${PATIENCE_MS / 1000} s until ${isSo}`);
    await looks.pause();
  }
}

/** Makes a page take itself for hidden, as in a tab behind others: it then holds no stream. */
const seem = (page: Page, state: 'hidden' | 'visible'): Promise<void> =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

const paragraphs = (text: string): number[] =>
  [...text.matchAll(/Paragraph (\d+) with/g)].map(([, n]) => Number(n));
const ALL = PARAGRAPHS.map((_, n) => n);

if (hasBrowser('turns of plan mode in Chromium')) {
  const { stage, close } = await openPlanStage(SCRIPTS);
  test.after(close);

  test('a reload in the middle of an answer continues it, with each word once (PLN-4)', async () => {
    const page = await stage.page('#/plan');
    await say(page, 'Tell me. @@slow');
    await page.getByText('Paragraph 20 with').waitFor();
    await page.reload();
    await page.getByText('This answer is still being written').waitFor();
    await waitForTurnEnd(page, 1);
    await page.getByText('Paragraph 199 with').waitFor();
    const text = await page.locator('.turn-answer').innerText();
    assert.equal(paragraphs(text), ALL);
    assert.is(await page.getByText('This answer is still being written').count(), 0);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('a page that was away for most of an answer shows all of it, although most of its frames are gone (PLN-4)', async () => {
    const page = await stage.page('#/plan');
    await say(page, 'Tell me. @@slow');
    await page.getByText('Paragraph 5 with').waitFor();
    const id = openId(page);
    await seem(page, 'hidden');
    await until(async () => !(await stage.client.investigation(id)).running);
    assert.not.ok(await page.getByText('Paragraph 199 with').isVisible());
    await seem(page, 'visible');
    await page.getByText('Paragraph 199 with').waitFor();
    const text = await page.locator('.turn-answer').innerText();
    assert.equal(paragraphs(text), ALL);
    await closePage(page);
  });

  test('two tabs watch one turn, and each shows all of it (PLN-4)', async () => {
    const page = await stage.page('#/plan');
    await say(page, 'Tell both. @@slow');
    await page.getByText('Paragraph 5 with').waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText('Paragraph 20 with').waitFor();
    for (const tab of [page, other]) {
      await tab.bringToFront();
      await waitForTurnEnd(tab, 1);
      // A long text is drawn in parts, also when the answer is over.
      await tab.getByText('Paragraph 199 with').waitFor();
      assert.equal(paragraphs(await tab.locator('.turn-answer').innerText()), ALL);
    }
    await closePage(page);
  });

  test('a tab that is open on a chat shows what another tab says in it (PLN-4)', async () => {
    const page = await stage.page('#/plan');
    await say(page, 'Begin. @@fine');
    await waitForTurnEnd(page, 1);
    await stage.client
      .intakeStream({ sessionId: openId(page), message: 'From elsewhere. @@fine' })
      .then((response) => response.body?.cancel());
    await waitForTurnEnd(page, 2);
    await page.getByText('From elsewhere.').waitFor();
    await closePage(page);
  });

  test('while the first answer comes, nothing unknown is counted, and Dispatch is not the main button (UI-2)', async () => {
    const page = await stage.page('#/plan', { viewport: { width: 1440, height: 900 } });
    await say(page, 'Tell slowly. @@slower');
    const facts = page.locator('.plan-facts');
    await facts.getByText('Answering; what it uses is counted when the turn ends').waitFor();
    assert.not.match((await facts.textContent()) ?? '', /unknown|\$0/);
    const dispatch = page.getByRole('button', { name: 'Dispatch …' });
    await dispatch.waitFor();
    assert.is(await page.locator('.run-dispatch .primary').count(), 0);
    await page.getByText('Paragraph 2 with').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('You stopped this answer').waitFor();
    await facts.getByText(/^1 turn, /).waitFor();
    await closePage(page);
  });

  test('an answer is stopped, keeps what came, and is asked for again (PLN-4)', async () => {
    const page = await stage.page('#/plan');
    await say(page, 'Tell slowly. @@slower');
    await page.getByText('Paragraph 2 with').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('You stopped this answer').waitFor();
    await page.getByText('Paragraph 2 with').waitFor();
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page
      .getByRole('article', { name: 'Turn 2', exact: true })
      .getByText('Paragraph 1 with')
      .waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await waitForTurnEnd(page, 2);
    await closePage(page);
  });

  test('a turn that fails says why, and the chat continues (PLN-4)', async () => {
    const page = await stage.page('#/plan');
    await say(page, 'Fail, please. @@breaks');
    await page.getByRole('alert').getByText('This model is closed').waitFor();
    await say(page, 'And now? @@fine');
    await page.getByText('All is well.').waitFor();
    await closePage(page);
  });

  test('an answer of 40 KB in pieces of four characters keeps a selection in it, and no settled block is drawn again (UI-2)', async () => {
    const page = await stage.page('#/plan');
    await page.evaluate(() => {
      const removed: string[] = [];
      Object.assign(window, { removed });
      new MutationObserver((changes) => {
        for (const { target, removedNodes } of changes) {
          const place = target instanceof Element ? target.closest('.slice') : null;
          // The last one is the end that is still open.
          if (place?.nextElementSibling?.classList.contains('slice'))
            for (const node of removedNodes) removed.push(node.textContent ?? '');
          if (target instanceof Element && target.classList.contains('markdown'))
            for (const node of removedNodes) removed.push(node.textContent ?? '');
        }
      }).observe(document, { childList: true, subtree: true });
    });
    await say(page, 'Tell it all. @@long');
    const first = page.getByText('Paragraph 3 with');
    await first.waitFor();
    await page
      .locator('.markdown .slice + .slice + .slice + .slice + .slice + .slice')
      .first()
      .waitFor();
    const chosen = await first.evaluate((paragraph) => {
      const selection = getSelection();
      selection?.selectAllChildren(paragraph);
      return selection?.toString() ?? '';
    });
    assert.match(chosen, /^Paragraph 3 with/);
    await waitForTurnEnd(page, 1);
    await page.getByRole('heading', { name: 'Part 11' }).waitFor();
    assert.is(await page.evaluate(() => getSelection()?.toString()), chosen);
    // Colours replace the text of code by the same text in parts.
    const removed = await page.evaluate<string[]>('window.removed');
    assert.equal(
      removed.filter((text) => !text.startsWith('const value')),
      [],
    );
    assert.is(await page.locator('.turn-answer .markdown h2').count(), 12);
    assert.is(await page.locator('.turn-answer .markdown pre').count(), 12);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('hostile text in an answer is text: nothing runs, nothing is asked for elsewhere (PLN-5)', async () => {
    const page = await stage.page('#/plan');
    await say(page, 'Attack. @@hostile');
    await waitForTurnEnd(page, 1);
    await page.getByText('The end.').waitFor();
    const traces = await page.evaluate((ran) => {
      const inAnswer =
        '.markdown :is(script, style, iframe, object, embed, form, input, button:not(.cite), img, svg, video, audio, link, meta, base, template, [style])';
      return {
        ran: ran in window,
        elements: [...document.querySelectorAll(inAnswer)].map((node) => node.outerHTML),
        links: [...document.querySelectorAll('.markdown a[href]')]
          .map((link) => link.getAttribute('href') ?? '')
          .filter((href) => !/^https?:/.test(href)),
      };
    }, RAN);
    assert.equal(traces, { ran: false, elements: [], links: [] });
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('places are walked in the order of the findings; one that does not exist yet is not looked for (UI-2)', async () => {
    const page = await stage.page('#/plan', { viewport: { width: 1440, height: 900 } });
    await say(page, 'Write it up. @@places');
    await page.locator('.findings-text .cite[data-verdict="new"]').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press(']');
    await page.getByRole('region', { name: 'File src/slugify.js' }).waitFor();
    await page.keyboard.press('[');
    const pane = page.getByRole('region', { name: 'File a/later.js' });
    await pane.getByText('The file does not exist yet.').waitFor();
    assert.is(await pane.getByRole('button', { name: 'Try again' }).count(), 0);
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  test('a look-up that failed is not marked as text from outside (UI-2)', async () => {
    const page = await stage.page('#/plan');
    await say(page, 'Write it up. @@places');
    await waitForTurnEnd(page, 1);
    await page.locator('.lookup', { hasText: 'failed' }).waitFor();
    assert.is(await page.locator('.lookup .pill').count(), 0);
    await closePage(page);
  });

  test('a chat that another page has removed is reported as gone, and a message begins a new one (UI-2)', async () => {
    const page = await stage.page('#/plan');
    await say(page, 'One. @@fine');
    await waitForTurnEnd(page, 1);
    await say(page, 'Two. @@fine');
    await waitForTurnEnd(page, 2);
    await stage.client.removeInvestigation(openId(page));
    await page.getByText('Chat not found').waitFor();
    assert.is(await page.locator('.turn').count(), 0);
    await say(page, 'Three. @@fine');
    await waitForTurnEnd(page, 1);
    assert.is(await page.locator('.turn').count(), 1);
    assert.is(await page.getByText('Chat not found').count(), 0);
    await closePage(page);
  });

  test('an address without a chat is reported (UI-2)', async () => {
    const page = await stage.page('#/plan/plan-gone');
    await page.getByText('Chat not found').waitFor();
    await closePage(page);
  });
}

test.run();
