import { count, fields } from '../../lib/untrusted.ts';
import type { CountedUsage } from '../../domain/usageSum.ts';

/**
 * Tokens of a turn as its answer tells them; null where it does not. Agents write them in places of
 * their own. Some count what a cache held as part of the input, others beside it: the total of the
 * answer tells which.
 */
export function promptUsage(response: unknown): CountedUsage | null {
  const { usage, _meta } = fields(response);
  const plain = fields(usage);
  const quota = fields(fields(fields(_meta).quota).token_count);
  const input = count(plain.inputTokens) || count(quota.input_tokens);
  const output = count(plain.outputTokens) || count(quota.output_tokens);
  const thoughts = count(plain.thoughtTokens);
  const cachedInputTokens = count(plain.cachedReadTokens);
  const cacheWriteTokens = count(plain.cachedWriteTokens);
  const total = count(plain.totalTokens);
  const cached = cachedInputTokens + cacheWriteTokens;
  const inputTokens = total >= input + output + cached ? input + cached : Math.max(input, cached);
  const found: CountedUsage = {
    inputTokens,
    outputTokens: total >= inputTokens + output + thoughts ? output + thoughts : output,
    cachedInputTokens,
    cacheWriteTokens,
  };
  if (thoughts > 0) found.reasoningTokens = Math.min(thoughts, found.outputTokens);
  return found.inputTokens + found.outputTokens > 0 ? found : null;
}
