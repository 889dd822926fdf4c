import type { Usage } from '../../contract/session.ts';
import { count, fields } from '../../lib/untrusted.ts';

/** Tokens of one answer as an endpoint of Anthropic's API counts them; what is missing is 0. */
export function anthropicUsage(usage: unknown): Required<Usage> {
  const found = fields(usage);
  const cachedInputTokens = count(found.cache_read_input_tokens);
  const cacheWriteTokens = count(found.cache_creation_input_tokens);
  return {
    inputTokens: count(found.input_tokens) + cachedInputTokens + cacheWriteTokens,
    outputTokens: count(found.output_tokens),
    cachedInputTokens,
    cacheWriteTokens,
  };
}

/** The tokens of an answer after a `message_delta`, whose output counts from its beginning. */
export const withDelta = <Counted extends Usage>(begun: Counted, usage: unknown): Counted => ({
  ...begun,
  outputTokens: Math.max(begun.outputTokens, anthropicUsage(usage).outputTokens),
});
