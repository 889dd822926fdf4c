import {
  MAX_CALL_TOKENS,
  parseTokenCounts,
  type TokenCounts,
} from '../../base/spending/parseTokenCounts.ts';
import { toFields } from '../../base/json/untrusted.ts';

/**
 * Tokens of an answer as Anthropic's API counts them; missing counts are 0. `most`: as in {@link
 * parseTokenCounts}; default: the limit of one answer.
 */
export function readAnthropicUsage(usage: unknown, most = MAX_CALL_TOKENS): TokenCounts {
  const fields = toFields(usage);
  return parseTokenCounts(
    {
      inputTokens: fields.input_tokens,
      outputTokens: fields.output_tokens,
      cachedInputTokens: fields.cache_read_input_tokens,
      cacheWriteTokens: fields.cache_creation_input_tokens,
      cacheWrite1hTokens: toFields(fields.cache_creation).ephemeral_1h_input_tokens,
      reasoningTokens: toFields(fields.output_tokens_details).thinking_tokens,
    },
    { isCacheBeside: true, most },
  );
}

/** The tokens after a `message_delta`, whose output counts from the answer's beginning. */
export function applyUsageDelta(tokenCounts: TokenCounts, usage: unknown): TokenCounts {
  const { output_tokens, output_tokens_details } = toFields(usage);
  const { usage: delta, problem } = readAnthropicUsage({ output_tokens, output_tokens_details });
  const outputTokens = Math.max(tokenCounts.usage.outputTokens, delta.outputTokens);
  const totalUsage = { ...tokenCounts.usage, outputTokens };
  if (delta.reasoningTokens !== undefined) totalUsage.reasoningTokens = delta.reasoningTokens;
  return { usage: totalUsage, problem: tokenCounts.problem ?? problem };
}
