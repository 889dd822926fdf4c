import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readReply, UnusableReply } from '../../../src/policy/decisions/reply/readReply.ts';
import { parseStrictJson } from '../../../src/policy/decisions/reply/parseStrictJson.ts';
import { seededRandom } from '../../support/charts/randomWalk.ts';
import { aQuestion, goodAnswers } from '../../support/decisions/aQuestion.ts';
import { inLongLane } from '../../support/longLane.ts';

const test = suite('random replies');

const REPLIES = inLongLane ? 100_000 : 20_000;
const random = seededRandom(2026);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

/** A number that is mostly near a border. */
const number = (): string =>
  random() < 0.75
    ? pick(['0', '1', '0.5', String(random())])
    : pick(['3', '-0', '1.0000001', '-0.0001', '3.01', '1e400', 'NaN', '"0.5"', 'null', '[]']);
const choice = (): string =>
  pick(['"none"', '"o1"', '"o2"', '"o3"', '""', 'null', '1', '"__proto__"', '"None"']);

const member = (name: string, value: string): string => `"${name}":${value}`;
/** Some of the members, seldom one twice, one too many or one with another name. */
function object(members: readonly string[]): string {
  const remaining = members.filter(() => random() > 0.02);
  if (random() < 0.02) remaining.push(pick(members));
  if (random() < 0.02) remaining.push(member(pick(['extra', '__proto__', 'constructor']), '1'));
  return `{${remaining.join(',')}}`;
}

function reply(): string {
  const answers = object([
    member('requirement', object([member('choice', choice()), member('confidence', number())])),
    member('goal', object([member('probability', number())])),
    member('seriousness', object([member('score', number())])),
    member('stuck', object([member('probability', number())])),
  ]);
  const whole = object([
    member('id', pick([JSON.stringify(aQuestion.id), JSON.stringify(aQuestion.id), '"x"'])),
    member(
      'model',
      pick([JSON.stringify(aQuestion.model), JSON.stringify(aQuestion.model), '"x"']),
    ),
    member('answers', random() < 0.01 ? pick(['null', '[]', '"good"']) : answers),
  ]);
  return random() < 0.02 ? whole.slice(0, Math.floor(random() * whole.length)) : whole;
}

const within = (value: unknown, most: number): boolean =>
  typeof value === 'number' && value >= 0 && value <= most;

/**
 * Written apart from the code: whether a value is a whole rating of the question, whatever else is
 * in it.
 */
function isRating(value: unknown): boolean {
  const { id, model, answers } = Object(value);
  const { requirement, goal, seriousness, stuck } = Object(answers);
  return (
    id === aQuestion.id &&
    model === aQuestion.model &&
    ['none', 'o1', 'o2'].includes(Object(requirement).choice) &&
    within(Object(requirement).confidence, 1) &&
    within(Object(goal).probability, 1) &&
    within(Object(seriousness).score, 3) &&
    within(Object(stuck).probability, 1)
  );
}

const tally = { rated: 0, refused: 0, wrong: [] as string[] };
for (let n = 0; n < REPLIES; n++) {
  const text = reply();
  let value: unknown;
  try {
    value = parseStrictJson(text);
  } catch {
    tally.refused += 1;
    continue;
  }
  try {
    readReply(aQuestion, value);
    tally.rated += 1;
    if (!isRating(value)) tally.wrong.push(text);
  } catch (error) {
    tally.refused += 1;
    if (!(error instanceof UnusableReply) || isRating(value)) tally.wrong.push(text);
  }
}

test('a rating is made of every whole answer and of no other', () => assert.equal(tally.wrong, []));
test('many of them are ratings', () =>
  assert.ok(tally.rated > REPLIES / 200, `${tally.rated} ratings`));
test('most of them are refused', () =>
  assert.ok(tally.refused > REPLIES / 2, `${tally.refused} refused`));
test('what is kept of an answer is its four members', () => {
  const { answers } = readReply(aQuestion, {
    id: aQuestion.id,
    model: aQuestion.model,
    answers: goodAnswers,
  });
  assert.equal(Object.keys(answers), ['requirement', 'goal', 'seriousness', 'stuck']);
});

test.run();
