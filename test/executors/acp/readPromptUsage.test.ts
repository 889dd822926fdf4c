import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readPromptUsage } from '../../../src/executors/acp/readPromptUsage.ts';

const test = suite('acp: tokens of a turn');

test('an answer that says nothing of tokens is null', () => {
  assert.is(readPromptUsage({ stopReason: 'end_turn' }), null);
});

test('a cache that is a part of the input stays one', () => {
  const usage = { inputTokens: 100, outputTokens: 10, cachedReadTokens: 40, totalTokens: 110 };
  assert.equal(readPromptUsage({ usage })?.usage, {
    inputTokens: 100,
    outputTokens: 10,
    cachedInputTokens: 40,
    cacheWriteTokens: 0,
  });
});

test('a cache beside the input is added to it', () => {
  const usage = { inputTokens: 100, outputTokens: 10, cachedReadTokens: 40, totalTokens: 150 };
  assert.is(readPromptUsage({ usage })?.usage.inputTokens, 140);
});

test('tokens of Gemini CLI are read', () => {
  const counts = readPromptUsage({
    _meta: { quota: { token_count: { input_tokens: 9, output_tokens: 3 } } },
  });
  assert.equal([counts?.usage.inputTokens, counts?.usage.outputTokens], [9, 3]);
});

for (const wrong of [-1, 0.4, Number.POSITIVE_INFINITY, 2 ** 53, '12', {}, 1e12])
  test(`${JSON.stringify(wrong)} tokens are ignored and named`, () => {
    const counts = readPromptUsage({ usage: { inputTokens: wrong, outputTokens: wrong } });
    assert.equal([counts?.usage.inputTokens, counts?.usage.outputTokens], [0, 0]);
    assert.ok(counts?.problem);
  });

test.run();
