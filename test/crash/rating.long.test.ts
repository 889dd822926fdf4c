import { availableParallelism } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { distinctPoints, playMatrix } from '../support/crash/crashMatrix.ts';
import { ratedJob } from '../support/crash/crashScenario.ts';
import { CrashStage, type Played } from '../support/crash/crashStage.ts';
import {
  askedTooOften,
  flagsFirstVisit,
  openDecisionServer,
} from '../support/decisions/decisionServer.ts';

const test = suite('crash matrix: a job whose phases are rated');

const provider = await openDecisionServer(flagsFirstVisit);
const stage = new CrashStage(ratedJob(provider.url));
let clean: Played;

test.after(async () => {
  stage.remove();
  await provider[Symbol.asyncDispose]();
});

test('without a crash its first phase is flagged and pauses it, and a resume brings it to its end', async () => {
  clean = await stage.play();
  const { outcome, problems } = clean;
  assert.equal(problems, []);
  assert.is(outcome.job.status, 'complete');
  assert.is(outcome.journal.filter((row) => row.endsWith('parked.flagged')).length, 1);
});

test('and the provider is asked once for each phase', () => {
  const ofPhases = provider.asked.filter(({ body }) => body.id.endsWith('/overseer'));
  assert.is(ofPhases.length, 2, provider.asked.map(({ body }) => body.id).join(' '));
});

/** Around the question and the commit of its answer, of the phase that is flagged. */
const aroundTheRating = ({ points }: Played): string[] =>
  points.filter((point) => /phase\.judged?:\w+#1$/.test(point));

// Of these points: `npm run test:crash -- --rating` plays all of the job.
test('killed around its rating, it is rated and paused once and ends the same (RUN-4, OVR-3, OVR-4)', async () => {
  const all = distinctPoints(aroundTheRating(clean));
  assert.ok(all.length > 2, clean.points.join(' '));
  const { missed, wrong, ...report } = await playMatrix(stage, clean, {
    points: all,
    atOnce: availableParallelism() + 1,
  });
  console.log(`\nnote: ${JSON.stringify(report)}`);
  assert.equal({ missed, wrong }, { missed: [], wrong: [] });
});

test('a restart asks again at most once (OVR-3)', () => {
  assert.equal(askedTooOften(provider.asked), []);
});

test.run();
