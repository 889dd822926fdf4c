import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatRatingLine, labelRating } from '../../src/base/jobs/labelRating.ts';
import { computeTrackFigures } from '../../src/jobs/views/ratings/computeTrackFigures.ts';
import { listRatingFigures } from '../../ui/ratings/RatingFigures.tsx';

const test = suite('ratings: pill and figures');

for (const [goal, words] of [
  [0.7, 'On track, 70 %'],
  [0.695, 'On track, 70 %'],
  [0.694, 'Needs a look, 69 %'],
  [0.4, 'Needs a look, 40 %'],
  [0.394, 'Off track, 39 %'],
] as const)
  test(`a goal of ${goal} is ${words} (UI-5)`, () => {
    assert.is(formatRatingLine({ rating: { goal }, skipped: null }), words);
  });

test('the label is that of the percentage which is shown (UI-5)', () => {
  for (let n = 0; n <= 1000; n++) {
    const { percent, label } = labelRating(n / 1000);
    const band = percent >= 70 ? 'On track' : percent >= 40 ? 'Needs a look' : 'Off track';
    assert.is(label, band);
  }
});

test('a skip is not a rating: it says why', () => {
  assert.is(formatRatingLine({ rating: null, skipped: 'Late.' }), 'Not rated: Late.');
});

const SAME = {
  site: 'overseer',
  provider: 'rules',
  model: 'decider-1.13.0',
  digestVersion: 1,
  current: true,
} as const;

test('without outcomes the figures say that they are not known (UI-5)', () => {
  const unknown = listRatingFigures(computeTrackFigures(SAME, [])).filter(
    ([, text]) => text === 'not known yet',
  );
  assert.equal(
    unknown.map(([name]) => name),
    ['Right flags', 'Bad work flagged', 'Brier score', 'Time'],
  );
});

test('the part of right flags comes with what is sure of it (UI-5)', () => {
  const figures = listRatingFigures(
    computeTrackFigures(SAME, [
      {
        decision: { goal: 0.1, flag: 'off', skipped: null, ms: 40 },
        outcome: { verdict: 'bad', why: 'thumbs' },
      },
    ]),
  );
  assert.is(Object.fromEntries(figures)['Right flags'], '100 % (1 of 1), at least 27 %');
});

test.run();
