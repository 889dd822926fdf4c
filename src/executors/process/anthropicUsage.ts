import type { Usage } from '../../contract/session.ts';
import { count, fields } from '../../lib/untrusted.ts';
import type { CountedUsage } from '../../domain/usageSum.ts';

/** Tokens of one answer as an endpoint of Anthropic's API counts them; what is missing is 0. */
export function anthropicUsage(usage: unknown): CountedUsage {
  const found = fields(usage);
  const cachedInputTokens = count(found.cache_read_input_tokens);
  const cacheWriteTokens = count(found.cache_creation_input_tokens);
  const counted: CountedUsage = {
    inputTokens: count(found.input_tokens) + cachedInputTokens + cacheWriteTokens,
    outputTokens: count(found.output_tokens),
    cachedInputTokens,
    cacheWriteTokens,
  };
  const forAnHour = count(fields(found.cache_creation).ephemeral_1h_input_tokens);
  if (forAnHour > 0) counted.cacheWrite1hTokens = Math.min(forAnHour, cacheWriteTokens);
  const thought = count(fields(found.output_tokens_details).thinking_tokens);
  if (thought > 0) counted.reasoningTokens = thought;
  return counted;
}

/** The tokens of an answer after a `message_delta`, whose output counts from its beginning. */
export function withDelta<Counted extends Usage>(begun: Counted, usage: unknown): Counted {
  const { outputTokens, reasoningTokens } = anthropicUsage(usage);
  const counted = { ...begun, outputTokens: Math.max(begun.outputTokens, outputTokens) };
  if (reasoningTokens !== undefined) counted.reasoningTokens = reasoningTokens;
  return counted;
}
