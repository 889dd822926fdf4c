import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closePage } from '../support/browser/closePage.ts';
import { DashboardStage, hasBrowser } from '../support/browser/dashboardStage.ts';
import { axeFaults, LOOKS, picture } from '../support/browser/pageChecks.ts';
import { goodAnswers } from '../support/decisions/aQuestion.ts';
import { openDecisionServer } from '../support/decisions/decisionServer.ts';

const test = suite('browser: ratings');

/** Jobs of the week; every fifth is off track. */
const JOBS = 30;
const EVERY = 5;

/** An agent that has nothing to do. */
const PROGRAMS = { work: '' };

/** Rates a phase by what its job is called. */
const provider = () =>
  openDecisionServer(({ body }, res) => {
    const isOff = String(body.objective).includes('off track');
    const answers = isOff ? { ...goodAnswers, goal: { probability: 0.12 } } : goodAnswers;
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ id: body.id, model: body.model, answers }));
  });

if (hasBrowser('ratings in Chromium')) {
  const server = await provider();
  const stage = await DashboardStage.open(PROGRAMS, {
    decision: { mode: 'shadow', apiKey: 'key-of-the-test', baseUrl: server.url },
  });
  test.after(async () => {
    await stage.close();
    await server[Symbol.asyncDispose]();
  });

  test('a week in Observe, the track record, Manage after two questions, one pause, one resume (UI-5, OVR-1, OVR-5, OVR-6)', async () => {
    const ids: string[] = [];
    for (let n = 1; n <= JOBS; n++)
      ids.push(await stage.job('work', `Job ${n}${n % EVERY === 0 ? ', off track' : ''}`));
    for (const id of ids) {
      const { decisionRecords } = await stage.until(id, ({ phase }) => phase === 'waiting');
      assert.is(decisionRecords.length, 1);
    }
    const off = ids.filter((_, n) => (n + 1) % EVERY === 0);
    for (const [n, id] of ids.entries())
      await stage.client.labelDecision({
        job: id,
        key: 'overseer/1/1',
        verdict: (n + 1) % EVERY === 0 ? 'bad' : 'good',
      });

    const page = await stage.page('#/jobs');
    // The same percentage in list, board and page.
    const row = page.locator('.job-row', { hasText: 'Job 30, off track' });
    assert.match((await row.locator('.phase .rating').textContent()) ?? '', /Off track\s*12 %/);
    // None of it is cut off, beside the longest name of a phase too.
    await page.setViewportSize({ width: 1440, height: 900 });
    assert.ok(
      await row.locator('.phase .rating').evaluate((mark) => {
        const cell = mark.closest('.phase');
        const name = cell?.querySelector('bdi');
        if (!cell || !name) return false;
        name.textContent = 'awaiting-a-merge-of-all';
        const [inner, outer] = [mark.getBoundingClientRect(), cell.getBoundingClientRect()];
        return inner.right <= outer.right + 1 && mark.scrollWidth <= mark.clientWidth + 1;
      }),
    );
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.goto(`${stage.runner.url}/dashboard/#/board`);
    const card = page.locator('.board-card', { hasText: 'Job 30, off track' });
    assert.match((await card.locator('.rating').textContent()) ?? '', /Off track 12 %/);

    await page.keyboard.press('g');
    await page.keyboard.press('t');
    const figures = page.locator('.rated-by');
    await figures.waitFor();
    const text = (await figures.textContent()) ?? '';
    assert.match(text, /Asked30/);
    assert.match(text, /Turned out good24.*Turned out bad6/);
    assert.match(text, /Right flags100 % \(6 of 6\), at least 69 %/);
    const mode = page.getByRole('region', { name: 'Mode' });
    assert.match(
      (await mode.textContent()) ?? '',
      /20 flags with a known outcome are needed; 6 so far/,
    );
    const pauses = page.getByRole('region', { name: 'Flagged phases' });
    assert.is(await pauses.getByText('Would have paused', { exact: true }).count(), off.length);
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `${width} ${colorScheme}`);
      await picture(page, `ratings-${width}-${colorScheme}`);
    }

    await page.setViewportSize({ width: 1280, height: 860 });
    await mode.getByRole('button', { name: 'Manage', exact: true }).click();
    await mode.getByRole('button', { name: 'Switch to Manage' }).click();
    assert.is((await stage.client.trackRecord()).mode, 'shadow');
    await mode.getByRole('button', { name: 'Yes, pause jobs for unproven flags' }).click();
    await mode.locator('button[aria-pressed=true]', { hasText: 'Manage' }).waitFor();

    const flagged = await stage.job('work', 'A job of the next week, off track');
    const paused = await stage.until(flagged, ({ parked }) => parked?.kind === 'flagged');
    assert.is(paused.status, 'awaiting-developer-input');
    await page.goto(`${stage.runner.url}/dashboard/#/jobs/${flagged}`);
    await page.getByRole('button', { name: /Off track 12 %/ }).click();
    const readout = page.locator('#rating-readout');
    assert.match((await readout.textContent()) ?? '', /Off track 12 %.*after the phase work/s);
    assert.not.match((await readout.textContent()) ?? '', /o1|0\.12|goal/);
    assert.equal(await axeFaults(page), []);
    await picture(page, 'ratings-readout');
    await page.keyboard.press('Escape');
    // In the chart the box of the phase is marked, and names it for readers of the screen.
    await page.goto(`${stage.runner.url}/dashboard/#/jobs/${flagged}/chart`);
    await page.getByRole('button', { name: /State work, current, flagged/ }).waitFor();
    assert.is(await page.locator('.node.flagged .tag', { hasText: 'flagged' }).count(), 1);
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      assert.equal(await axeFaults(page), [], `chart ${width} ${colorScheme}`);
      await picture(page, `ratings-chart-${width}-${colorScheme}`);
    }
    await page.goto(`${stage.runner.url}/dashboard/#/jobs/${flagged}`);
    await page.getByRole('button', { name: 'Continue as it is' }).click();
    const after = await stage.until(flagged, ({ phase }) => phase === 'waiting');
    assert.equal(
      after.decisionRecords.map((record) => record.paused),
      [true],
    );
    assert.is.not(after.parked?.kind, 'flagged');
    assert.equal(stage.problems, []);
    await closePage(page);
  });
}

test.run();
