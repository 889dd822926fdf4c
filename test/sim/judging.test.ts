import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { brokenOf, JUDGING_TRUTHS, type JudgedVisit } from './judging/judgingTruths.ts';
import { simulateJudging } from './judging/simulateJudging.ts';

const test = suite('simulation of ratings');

const life = await simulateJudging({ seed: 1, jobs: 40 });

test('what must hold of ratings holds while the runner dies (OVR-3, OVR-4)', () => {
  assert.equal(brokenOf(life), []);
});

test('many phases were rated', () => assert.ok(life.ratings > 100, `${life.ratings} ratings`));
test('some were not', () => assert.ok(life.skips > 10, `${life.skips} skips`));
test('some jobs were paused (OVR-5)', () => assert.ok(life.pauses >= 5, `${life.pauses} pauses`));
test('the runner died meanwhile', () => assert.ok(life.restarts > 10, `${life.restarts}`));

/** A flagged visit, by which each truth is broken once. */
const flagged: JudgedVisit = {
  job: 'job-1',
  visit: 1,
  interactive: true,
  mode: 'live',
  asks: 1,
  restarts: 0,
  taken: 1,
  rows: 1,
  goal: 0.1,
  flag: 'off track',
  answered: [0.1],
  pauses: 1,
};
const SABOTAGE: Readonly<Record<string, Partial<JudgedVisit>>> = {
  'a visit has one record': { rows: 2 },
  'a rating is taken once': { taken: 2 },
  'the provider is asked once, and once more after a restart': { asks: 2 },
  'a rating is what the provider has answered': { answered: [] },
  'a flag comes from a rating': { goal: null },
  'only a flag pauses': { flag: null },
  'only an interactive job is paused, and only in Manage': { interactive: false },
  'a visit is paused at most once': { pauses: 2 },
};
for (const [sentence, change] of Object.entries(SABOTAGE))
  test(`it is noticed when it is not true that ${sentence}`, () => {
    assert.equal(brokenOf({ visits: [{ ...flagged, ...change }], ends: [] }), [sentence]);
  });
test('it is noticed when a job does not end', () => {
  assert.equal(brokenOf({ visits: [flagged], ends: ['parked.flagged'] }), [
    'every job is complete',
  ]);
});
test('every truth has its sabotage', () => {
  assert.equal([...Object.keys(SABOTAGE), 'every job is complete'], JUDGING_TRUTHS);
});

test.run();
