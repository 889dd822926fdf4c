import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import type { Scripts } from '../../demo/model/script.ts';
import { hasBrowser } from '../support/browser/dashboardStage.ts';
import { waitForTurnEnd, openId, openPlanStage, say } from '../support/browser/planStage.ts';
import { longLane } from '../support/longLane.ts';

const test = suite('browser: turns of plan mode that end early, or late');
const long = longLane(test);

const LOOK = { calls: [{ svc: 'scm_read_file', args: { path: 'src/slugify.js' } }] };
const SCRIPTS: Scripts = {
  breaks: [
    { say: 'I look.', ...LOOK },
    { say: 'It is long. '.repeat(400), everyMs: 40 },
  ],
  fine: [{ say: 'All is well.' }],
  second: [{ say: 'This was the second one.' }],
  looks: [
    ...Array.from({ length: 25 }, (_, n) => ({ say: `Look ${n + 1}.`, ...LOOK })),
    { say: 'That is all that I could find out.', waitMs: 1_500 },
  ],
};

if (hasBrowser('ends of turns of plan mode in Chromium')) {
  const { stage, close } = await openPlanStage(SCRIPTS);
  test.after(close);

  test('a turn that the runner loses keeps its message and its text, what waited is answered, and a click asks again (PLN-4)', async () => {
    const page = await stage.page('#/plan');
    await say(page, 'Tell me @@breaks');
    const first = page.getByRole('article', { name: 'Turn 1', exact: true });
    await first.getByText('It is long.').waitFor();
    await page.getByLabel('Message').fill('And then? @@second');
    await page.getByRole('button', { name: 'Send afterwards' }).click();
    await page.getByText('This message is sent after the current answer').waitFor();

    await stage.runner.kill();
    await page.getByText('No connection to the runner since').waitFor();
    await stage.runner.start();

    await first.getByText('The runner stopped while this answer was written').waitFor();
    await first.getByText('It is long.').waitFor();
    await page.getByText('This was the second one.').waitFor();
    await waitForTurnEnd(page, 2);

    await page.reload();
    await first.getByText('Tell me @@breaks').waitFor();
    assert.ok(await first.getByText('I look.').isVisible(), 'the text before the look-up');
    assert.is(await first.locator('.lookup').count(), 1);
    await first.getByRole('button', { name: 'Ask again' }).click();
    const third = page.getByRole('article', { name: 'Turn 3', exact: true });
    await third.getByText('It is long.').waitFor();
    assert.is(await first.getByRole('button', { name: 'Ask again' }).count(), 0);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await waitForTurnEnd(page, 3);
    const { turns } = await stage.client.investigation(openId(page));
    assert.equal(
      turns.map(({ state, message }) => [state, message]),
      [
        ['lost', 'Tell me @@breaks'],
        ['done', 'And then? @@second'],
        ['interrupted', 'Tell me @@breaks'],
      ],
    );
    assert.equal(stage.problems, []);
    await closePage(page);
  });

  long(
    'rounds are counted truly, and closing words follow the last one; a reload shows the same (PLN-3)',
    async () => {
      const page = await stage.page('#/plan');
      await say(page, 'Look everywhere @@looks');
      await page.getByText(/\d+ look-ups?, round \d+ of 25/).waitFor();
      await page.getByText('25 look-ups, round 25 of 25, closing words').waitFor();
      await waitForTurnEnd(page, 1);
      const turn = page.getByRole('article', { name: 'Turn 1', exact: true });
      const NOTE = 'The model has used its 25 rounds of look-ups';
      await turn.getByText(NOTE).waitFor();
      const text = await turn.innerText();
      await page.reload();
      await turn.getByText(NOTE).waitFor();
      assert.is(await turn.locator('.lookup').count(), 25);
      assert.is(await turn.innerText(), text);
      assert.match(text, /Look 1\.[\s\S]*Read[\s\S]*Look 2\.[\s\S]*That is all/);
      await closePage(page);
    },
  );
}

test.run();
