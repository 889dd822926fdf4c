import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Page } from 'playwright-core';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';
import { FAR_OFF } from '../support/charts/ratings.ts';
import { goodAnswers } from '../support/decisions/aQuestion.ts';
import { openDecisionServer } from '../support/decisions/decisionServer.ts';

const test = suite('browser: the card of a flagged phase');

/** The requirement that the decider calls unmet: `o2` of the obligations. */
const UNMET = 'The work still serves';
/** Posts its plan, which says whether its prompt has asked for something else. */
const POSTS_PLAN = `
import { readFileSync } from 'node:fs';
const again = readFileSync(process.env.SVC_SESSION_DIR + '/kickoff.md', 'utf8').includes('Keep the prices');
tool('post_artifact', { kind: 'plan-md', title: 'Plan', content: again ? '# Prices stay' : '# Prices go' });
tool('post_artifact', { kind: 'note', title: 'Measurements', mime: 'text/plain', content: '12 ms' });
`;

/** The flagged card of a job, with its plan on the screen. */
async function openCard(page: Page) {
  const card = page.locator('.inbox-open .ask');
  await card.getByRole('heading', { name: 'Prices go' }).waitFor();
  return card;
}

if (hasBrowser('the card of a flagged phase in Chromium')) {
  // The first visit of each job is far off, the others are good.
  const decider = await openDecisionServer(({ body }, res) => {
    const isFirst = body.id.split('/')[1] === '1';
    const answers = isFirst
      ? { ...FAR_OFF, requirement: { choice: 'o2', confidence: 0.9 } }
      : goodAnswers;
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ id: body.id, model: body.model, answers }));
  });
  const stage = await DashboardStage.open(
    { work: POSTS_PLAN },
    {
      decision: {
        mode: 'live',
        apiKey: 'key-of-the-test',
        baseUrl: decider.url,
      },
    },
  );
  test.after(async () => {
    await stage.close();
    await decider[Symbol.asyncDispose]();
  });
  const flagged = async (title: string): Promise<string> => {
    const id = await stage.job('work', title);
    await stage.until(id, ({ parked }) => parked?.kind === 'flagged');
    return id;
  };

  test('shows the unmet requirement, the decider, both answers and the plan, in this order; a message runs the phase again (UI-1, OVR-6)', async () => {
    const id = await flagged('Move the price list');
    const page = await stage.page(`#/inbox/${id}`);
    const card = await openCard(page);
    const row = page.locator('.inbox-row', { hasText: 'Move the price list' });
    assert.is(await row.locator('b').textContent(), 'Flagged');
    const places = await Promise.all(
      [
        card.locator('.unmet', { hasText: UNMET }),
        card.getByText('by decider ('),
        card.getByLabel('What should be different?'),
        card.getByRole('button', { name: 'Run the phase again' }),
        card.getByRole('button', { name: 'Continue as it is' }),
        card.getByRole('heading', { name: 'Prices go' }),
        card.getByRole('link', { name: 'Measurements' }),
      ].map(async (part) => {
        const element = await part.elementHandle();
        return card.evaluate(
          (all, one) => [...all.querySelectorAll('*')].indexOf(one as Element),
          element,
        );
      }),
    );
    assert.equal(
      places,
      [...places].sort((a, b) => a - b),
    );
    assert.is(await card.locator('button.primary').count(), 1);
    for (const { name, width, height, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], name);
      await picture(page, `flagged-${name}`);
    }

    await card.getByLabel('What should be different?').fill('Keep the prices.');
    await card.getByRole('button', { name: 'Run the phase again' }).click();
    const again = await stage.until(id, ({ phase }) => phase === 'waiting');
    assert.equal(
      again.phases.map(({ phase }) => phase),
      ['work', 'work', 'waiting'],
    );
    const rated = again.decisionRecords.filter(({ site }) => site === 'overseer');
    assert.equal(
      rated.map(({ visit, paused }) => [visit, paused]),
      [
        [1, true],
        [2, false],
      ],
    );
    await page.getByRole('heading', { name: 'Nothing is waiting for you' }).waitFor();
    await closePage(page);
  });

  test('Continue as it is goes to the next phase without another visit (UI-1, OVR-6)', async () => {
    const id = await flagged('Move the other list');
    const page = await stage.page(`#/inbox/${id}`);
    const card = await openCard(page);
    await card.getByRole('button', { name: 'Continue as it is' }).click();
    const after = await stage.until(id, ({ phase }) => phase === 'waiting');
    assert.equal(
      after.phases.map(({ phase }) => phase),
      ['work', 'waiting'],
    );
    assert.equal(stage.problems, []);
    await closePage(page);
  });
} else {
  test('LEFT OUT: there is no browser', () => {
    assert.not.ok(hasBrowser('the card of a flagged phase in Chromium'));
  });
}

test.run();
