import { availableParallelism } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { distinctPoints, playMatrix } from '../support/crash/crashMatrix.ts';
import { ReviewStage } from '../support/crash/reviewStage.ts';

const test = suite('crash matrix: a review by a person');

/** It was noted that the review goes out now, but it did not. */
const BEFORE_THE_REQUEST = /^commit:forge_writes:after#/;
/** The commit of the review, and what sends it; the session that it wakes has its own matrix. */
const OF_A_REVIEW = /review|job\.message|forge_writes:/;

const stage = new ReviewStage();
let clean: Awaited<ReturnType<ReviewStage['play']>>;

test.after(() => stage.remove());

test('without a crash it is one review at the forge and one message, and wakes the agent once', async () => {
  clean = await stage.play();
  const { outcome, death, problems } = clean;
  assert.is(death, null);
  assert.equal(problems, []);
  assert.is(outcome.visit, 2);
  assert.is(outcome.parked, 'event');
  assert.equal(outcome.heard, ['job.message']);
  assert.is(outcome.messages.length, 1);
  assert.is(outcome.messages[0]?.[0], 'acknowledged');
  assert.equal(outcome.reviews, [{ state: 'sent', problem: null, comments: ['sent', 'sent'] }]);
  assert.equal(outcome.atForge, [{ author: 'svc-robot', state: 'COMMENTED', text: 'Not yet.' }]);
  assert.equal(outcome.threads, [
    { line: 1, comments: ['Who reads it?'] },
    { line: 2, comments: ['Is this used?'] },
  ]);
});

const listReviewPoints = ({ points }: typeof clean): string[] => {
  const begin = points.findIndex((point) => point.includes('job.message'));
  return distinctPoints(points.slice(begin)).filter((point) => OF_A_REVIEW.test(point));
};

test('killed at each commit and effect of a review, it is neither lost nor doubled, and wakes the agent once (RUN-4)', async () => {
  const points = listReviewPoints(clean).filter((point) => !BEFORE_THE_REQUEST.test(point));
  assert.ok(points.length >= 4, points.join(' '));
  assert.ok(points.includes('effect:review.send:after#1'), points.join(' '));
  const { missed, wrong, ...report } = await playMatrix(stage, clean, {
    points,
    atOnce: availableParallelism() + 1,
  });
  console.log(`\nnote: ${JSON.stringify(report)}`);
  assert.equal(missed, []);
  assert.equal(wrong, []);
  assert.is(report.crashes, points.length);
});

test('killed between the note that it goes out and the request, it is reported as undecided: it never goes out twice', async () => {
  const point = listReviewPoints(clean).find((one) => BEFORE_THE_REQUEST.test(one));
  assert.ok(point !== undefined, clean.points.join(' '));
  const { outcome, death, problems } = await stage.play(point);
  assert.is(death, 'SIGKILL');
  assert.equal(problems, []);
  assert.is(outcome.visit, 2);
  assert.equal(outcome.heard, ['job.message']);
  assert.equal(outcome.reviews, [
    { state: 'partly', problem: null, comments: ['undecided', 'undecided'] },
  ]);
  assert.equal(outcome.atForge, []);
});

test.run();
