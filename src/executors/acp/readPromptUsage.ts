import {
  isWholeCount,
  MAX_SESSION_TOKENS,
  parseTokenCounts,
  type TokenCounts,
} from '../../base/spending/parseTokenCounts.ts';
import { toFields } from '../../base/json/untrusted.ts';

const toCountOrZero = (value: unknown): number => (isWholeCount(value) ? value : 0);

/**
 * Tokens of a turn from its answer; null where it has none. Each agent writes them in its own
 * place. Some count cached tokens as part of the input, others beside it: the total tells which.
 */
export function readPromptUsage(response: unknown): TokenCounts | null {
  const { usage, _meta } = toFields(response);
  const plain = toFields(usage);
  const quota = toFields(toFields(toFields(_meta).quota).token_count);
  if (Object.keys(plain).length + Object.keys(quota).length === 0) return null;
  const inputTokens =
    toCountOrZero(plain.inputTokens) > 0
      ? plain.inputTokens
      : (quota.input_tokens ?? plain.inputTokens);
  const outputTokens =
    toCountOrZero(plain.outputTokens) > 0
      ? plain.outputTokens
      : (quota.output_tokens ?? plain.outputTokens);
  const { cachedReadTokens, cachedWriteTokens, thoughtTokens } = plain;
  const [input, output] = [toCountOrZero(inputTokens), toCountOrZero(outputTokens)];
  const thoughts = toCountOrZero(thoughtTokens);
  const cachedTokens = toCountOrZero(cachedReadTokens) + toCountOrZero(cachedWriteTokens);
  const total = toCountOrZero(plain.totalTokens);
  const isCacheBeside =
    cachedTokens > 0 && (total >= input + output + cachedTokens || input < cachedTokens);
  const wholeInput = isCacheBeside ? input + cachedTokens : input;
  return parseTokenCounts(
    {
      inputTokens,
      outputTokens,
      cachedInputTokens: cachedReadTokens,
      cacheWriteTokens: cachedWriteTokens,
      reasoningTokens: thoughtTokens,
    },
    {
      most: MAX_SESSION_TOKENS,
      isCacheBeside,
      areThoughtsBeside: total >= wholeInput + output + thoughts,
    },
  );
}
