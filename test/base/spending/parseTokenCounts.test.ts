import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  estimateMissing,
  MAX_CALL_TOKENS,
  MAX_SESSION_TOKENS,
  parseTokenCounts,
} from '../../../src/base/spending/parseTokenCounts.ts';
import { addBounded, MAX_SUM } from '../../../src/base/spending/addBounded.ts';
import { addUsage, NO_USAGE } from '../../../src/base/spending/usageSum.ts';

const test = suite('token counts from outside');

const GOOD = { inputTokens: 100, outputTokens: 10, cachedInputTokens: 40, cacheWriteTokens: 30 };

test('good counts are taken as they are', () => {
  assert.equal(parseTokenCounts({ ...GOOD, reasoningTokens: 4, cacheWrite1hTokens: 5 }), {
    usage: { ...GOOD, reasoningTokens: 4, cacheWrite1hTokens: 5 },
    problem: null,
  });
});

test('what is not given is 0 and no problem', () => {
  assert.equal(parseTokenCounts({ inputTokens: undefined, outputTokens: null }), {
    usage: NO_USAGE,
    problem: null,
  });
});

const NO_COUNTS: readonly unknown[] = [
  -1,
  -5_000,
  0.4,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
  2 ** 53,
  '12',
  '',
  true,
  {},
  { n: 1 },
  [],
  [5],
  12n,
];

for (const value of NO_COUNTS)
  for (const name of [
    'inputTokens',
    'outputTokens',
    'cachedInputTokens',
    'cacheWriteTokens',
    'cacheWrite1hTokens',
    'reasoningTokens',
  ])
    test(`${String(value)} as ${name} is ignored alone`, () => {
      const { usage, problem } = parseTokenCounts({ ...GOOD, [name]: value });
      assert.is(Object.entries(usage).find(([key]) => key === name)?.[1] ?? 0, 0);
      assert.match(problem ?? '', ': ');
    });

test('the problem names the value', () => {
  assert.is(
    parseTokenCounts({ inputTokens: -5_000, outputTokens: 'x'.repeat(1_000) }).problem,
    `input tokens: -5000, output tokens: "${'x'.repeat(40)}"`,
  );
});

for (const [part, whole] of [
  ['cachedInputTokens', 101],
  ['cacheWriteTokens', 61],
  ['cacheWrite1hTokens', 31],
  ['reasoningTokens', 11],
] as const)
  test(`${part} that are more than what they are a part of are ignored alone`, () => {
    const { usage, problem } = parseTokenCounts({ ...GOOD, [part]: whole });
    assert.is(usage[part] ?? 0, 0);
    assert.equal([usage.inputTokens, usage.outputTokens], [100, 10]);
    assert.match(problem ?? '', `${whole} of `);
  });

test('what a cache held beside the input is added to it', () => {
  assert.is(parseTokenCounts(GOOD, { isCacheBeside: true }).usage.inputTokens, 170);
});

test('thoughts beside the output are added to it', () => {
  const { usage } = parseTokenCounts({ ...GOOD, reasoningTokens: 5 }, { areThoughtsBeside: true });
  assert.is(usage.outputTokens, 15);
});

test('a call of the most tokens is a report', () => {
  const { usage } = parseTokenCounts({ inputTokens: MAX_CALL_TOKENS - 1, outputTokens: 1 });
  assert.is(usage.inputTokens, MAX_CALL_TOKENS - 1);
});

test('a call of more than the most tokens is none', () => {
  const { usage, problem } = parseTokenCounts({ inputTokens: MAX_CALL_TOKENS, outputTokens: 1 });
  assert.equal(usage, NO_USAGE);
  assert.is(problem, '100000001 tokens, at most 100000000 are possible');
});

test('a call whose parts beside it are more than the most tokens is none', () => {
  const counts = { inputTokens: 1, outputTokens: 1, cachedInputTokens: Number.MAX_SAFE_INTEGER };
  assert.equal(parseTokenCounts(counts, { isCacheBeside: true }).usage, NO_USAGE);
});

test('a session may have more tokens than a call', () => {
  const counts = { inputTokens: MAX_CALL_TOKENS * 2, outputTokens: 1 };
  assert.is(parseTokenCounts(counts, { most: MAX_SESSION_TOKENS }).problem, null);
});

test('an estimate fills what is 0 and cannot be', () => {
  assert.equal(estimateMissing(NO_USAGE, { asked: 1_000, answered: 100 }), {
    usage: { ...NO_USAGE, inputTokens: 300, outputTokens: 30 },
    isEstimated: true,
  });
});

test('an estimate leaves what was counted', () => {
  const { usage } = estimateMissing(
    { ...NO_USAGE, inputTokens: 7 },
    { asked: 1_000, answered: 100 },
  );
  assert.equal([usage.inputTokens, usage.outputTokens], [7, 30]);
});

test('an answer of nothing has no output', () => {
  const { usage } = estimateMissing(NO_USAGE, { asked: 1_000, answered: 0 });
  assert.equal([usage.inputTokens, usage.outputTokens], [300, 0]);
});

test('no sum is larger than 2^53-1', () => {
  assert.is(addBounded(MAX_SUM, 5), MAX_SUM);
  assert.is(addUsage({ ...NO_USAGE, inputTokens: MAX_SUM }, GOOD).inputTokens, MAX_SUM);
});

test.run();
