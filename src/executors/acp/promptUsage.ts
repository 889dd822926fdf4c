import {
  isCount,
  MAX_SESSION_TOKENS,
  parseTokenCounts,
  type TokenCounts,
} from '../../domain/parseTokenCounts.ts';
import { fields } from '../../lib/untrusted.ts';

const toCount = (value: unknown): number => (isCount(value) ? value : 0);

/**
 * Tokens of a turn as its answer tells them; null where it does not. Agents write them in places of
 * their own. Some count what a cache held as part of the input, others beside it: the total of the
 * answer tells which.
 */
export function promptUsage(response: unknown): TokenCounts | null {
  const { usage, _meta } = fields(response);
  const plain = fields(usage);
  const quota = fields(fields(fields(_meta).quota).token_count);
  if (Object.keys(plain).length + Object.keys(quota).length === 0) return null;
  const inputTokens =
    toCount(plain.inputTokens) > 0 ? plain.inputTokens : (quota.input_tokens ?? plain.inputTokens);
  const outputTokens =
    toCount(plain.outputTokens) > 0
      ? plain.outputTokens
      : (quota.output_tokens ?? plain.outputTokens);
  const { cachedReadTokens, cachedWriteTokens, thoughtTokens } = plain;
  const [input, output] = [toCount(inputTokens), toCount(outputTokens)];
  const thoughts = toCount(thoughtTokens);
  const cached = toCount(cachedReadTokens) + toCount(cachedWriteTokens);
  const total = toCount(plain.totalTokens);
  const isCacheBeside = cached > 0 && (total >= input + output + cached || input < cached);
  const wholeInput = isCacheBeside ? input + cached : input;
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
