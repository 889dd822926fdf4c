import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parsePluginEvent, parseResult } from '../../src/plugins/process/pluginAnswers.ts';

const test = suite('what a plugin answers about tokens and times');

const readCounts = (usage: unknown) => {
  const event = parsePluginEvent({ type: 'usage', usage });
  return event?.type === 'counts' ? event.counts : null;
};
const parseChangedResult = (changes: object) =>
  parseResult({ stopReason: 'end_turn', error: null, usage: null, ...changes });
const quotaUntil = (resetsAt: unknown) =>
  parseChangedResult({ stopReason: 'quota', resetsAt })?.result.resetsAt;

test('a good report is taken', () => {
  const counts = readCounts({ inputTokens: 5, outputTokens: 1, cachedInputTokens: 2 });
  assert.equal(counts, {
    usage: { inputTokens: 5, outputTokens: 1, cachedInputTokens: 2, cacheWriteTokens: 0 },
    problem: null,
  });
});

for (const wrong of [-1, 0.4, null, '12', {}, 2 ** 53, 1e12])
  test(`${JSON.stringify(wrong)} as a count does not break the contract`, () => {
    const counts = readCounts({ inputTokens: wrong, outputTokens: wrong, cachedInputTokens: 0 });
    assert.equal([counts?.usage.inputTokens, counts?.usage.outputTokens], [0, 0]);
  });

test('a usage that is no object does not break the contract', () => {
  assert.is(readCounts('many')?.usage.inputTokens, 0);
});

test('a result with a wrong sum is a result without one', () => {
  const parsed = parseChangedResult({
    usage: { inputTokens: -5, outputTokens: 0.4, cachedInputTokens: 0 },
  });
  assert.equal(parsed?.result, { stopReason: 'end_turn', error: null, usage: null });
  assert.match(parsed?.problem ?? '', 'input tokens: -5');
});

test('a session may have used more than a call', () => {
  const usage = { inputTokens: 500_000_000, outputTokens: 1, cachedInputTokens: 0 };
  assert.equal(parseChangedResult({ usage })?.result.usage, usage);
});

for (const wrong of [-1, 1e18, Number.NaN, '', 'soon', {}, true])
  test(`a limit that ends at ${JSON.stringify(wrong)} has no known end`, () => {
    assert.is(quotaUntil(wrong), null);
  });

test('a limit that ends at a time is taken, as whole milliseconds', () => {
  assert.is(quotaUntil(1_763_800_000_000.6), 1_763_800_000_001);
});

test.run();
