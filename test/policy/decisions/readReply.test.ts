import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readReply, UnusableReply } from '../../../src/policy/decisions/reply/readReply.ts';
import { aQuestion, goodAnswers } from '../../support/decisions/aQuestion.ts';

const test = suite('the answers of a reply');

const reply = (changes: object = {}) => ({
  id: aQuestion.id,
  model: aQuestion.model,
  answers: goodAnswers,
  ...changes,
});

const refusal = (value: unknown): string => {
  try {
    readReply(aQuestion, value);
    return 'it was used';
  } catch (error) {
    return error instanceof UnusableReply ? error.message : `not refused, but failed: ${error}`;
  }
};

test('a good reply gives its four answers', () => {
  assert.equal(readReply(aQuestion, reply()), { answers: goodAnswers });
});

test('its usage is no part of the answers', () => {
  const used = reply({ usage: { inputTokens: 2710, outputTokens: 31 } });
  assert.equal(readReply(aQuestion, used).answers, goodAnswers);
});

const parseUsage = (usage: unknown) => readReply(aQuestion, reply({ usage })).usage;

for (const [what, usage] of [
  ['a number below 0', { inputTokens: -5, outputTokens: -1 }],
  ['a fraction', { inputTokens: 0.4, outputTokens: 0.4 }],
  ['more than a call can have', { inputTokens: 1e15, outputTokens: 1 }],
  ['a text', { inputTokens: '12', outputTokens: '3' }],
  ['no object', 'many'],
  ['a list', [1, 2]],
] as const)
  test(`${what} as its usage is estimated, and the answers are used`, () => {
    const { inputTokens, outputTokens, isEstimated } = parseUsage(usage) ?? {};
    assert.ok((inputTokens ?? 0) > 0 && (inputTokens ?? 0) < 10_000);
    assert.ok((outputTokens ?? 0) > 0 && (outputTokens ?? 0) < 10_000);
    assert.is(isEstimated, true);
    assert.equal(readReply(aQuestion, reply({ usage })).answers, goodAnswers);
  });

test('a good usage is taken as it is', () => {
  assert.equal(parseUsage({ inputTokens: 2710, outputTokens: 31 }), {
    inputTokens: 2710,
    outputTokens: 31,
  });
});

const createReply = (changes: object) => reply({ answers: { ...goodAnswers, ...changes } });

for (const [what, value, says] of [
  ['nothing', undefined, /another form|The answer/],
  ['null', null, /The answer/],
  ['a text', 'ok', /The answer/],
  ['no answers', { id: aQuestion.id, model: aQuestion.model }, /The answer/],
  ['another id', reply({ id: 'other' }), /another question/],
  ['another model', reply({ model: 'decider-2' }), /"decider-2".*decision\.model/],
  ['one answer missing', reply({ answers: { goal: goodAnswers.goal } }), /wrong format/],
  ['an answer under another name', createReply({ goal: undefined, goall: 1 }), /wrong format/],
  ['a probability over 1', createReply({ goal: { probability: 1.01 } }), /answers\.goal/],
  ['a probability below 0', createReply({ stuck: { probability: -0.1 } }), /answers\.stuck/],
  ['a probability as text', createReply({ goal: { probability: '0.5' } }), /answers\.goal/],
  ['no number', createReply({ goal: { probability: Number.NaN } }), /answers\.goal/],
  ['an endless number', createReply({ seriousness: { score: Infinity } }), /answers\.seriousness/],
  ['a seriousness over 3', createReply({ seriousness: { score: 3.5 } }), /answers\.seriousness/],
  [
    'an unknown obligation',
    createReply({ requirement: { choice: 'o9', confidence: 0.9 } }),
    /"o9".*not an obligation/,
  ],
] as const) {
  test(`${what} is refused`, () => assert.match(refusal(value), says));
}

for (const [where, value] of [
  ['the reply', reply({ version: 2 })],
  ['its usage', reply({ usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 1 } })],
  ['the answers', createReply({ mood: 1 })],
  ['one answer', createReply({ goal: { ...goodAnswers.goal, reason: 'it does' } })],
] as const)
  test(`an unknown member of ${where} is left out, and the rest counts (OVR-4)`, () => {
    assert.equal(readReply(aQuestion, value).answers, goodAnswers);
  });

test('a long name of a model is cut in the refusal', () => {
  assert.ok(refusal(reply({ model: 'x'.repeat(10_000) })).length < 300);
});

test.run();
