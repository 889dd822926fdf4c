import { availableParallelism } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { playMatrix } from '../support/crashMatrix.ts';
import { shortCampaign } from '../support/crashScenario.ts';
import { CrashStage, type Played } from '../support/crashStage.ts';

const test = suite('crash matrix: a campaign');

/** Commits and effects of the coordinator: the dispatcher's own, and how its parent hears of it. The rest is in matrix.test.ts. */
const COORDINATORS = /subRun|parent\./;

const stage = new CrashStage(shortCampaign);
let clean: Played;

test.after(() => stage.remove());

test('without a crash the parent and its three sub-runs are complete', async () => {
  clean = await stage.play();
  const { outcome, problems, death } = clean;
  assert.equal([problems, death, outcome.jobs, outcome.job.status], [[], null, 4, 'complete']);
  assert.is(outcome.journal.filter((line) => line.startsWith('subRuns.settled')).length, 1);
});

test('killed before or after what the coordinator commits and does, it ends the same, with as many jobs (SUB-7)', async () => {
  const points = clean.points.filter((point) => COORDINATORS.test(point));
  assert.ok(points.length >= 20, `the points are put around what matters: ${clean.points.join(' ')}`);
  const { missed, wrong, ...report } = await playMatrix(stage, { ...clean, points }, { atOnce: availableParallelism() + 1 });
  console.log(`\nnote: ${JSON.stringify({ ...report, others: report.others.length })}`);
  assert.equal({ missed, wrong: wrong.length, first: wrong.slice(0, 5) }, { missed: [], wrong: 0, first: [] });
});

test.run();
