import type { Usage } from '../../contract/session.ts';
import { count, fields } from '../../lib/untrusted.ts';

/**
 * Tokens of a turn as its answer tells them; null where it does not. Agents write them in places of
 * their own.
 */
export function promptUsage(response: unknown): Usage | null {
  const { usage, _meta } = fields(response);
  const plain = fields(usage);
  const quota = fields(fields(fields(_meta).quota).token_count);
  const found = {
    inputTokens: count(plain.inputTokens) || count(quota.input_tokens),
    outputTokens: count(plain.outputTokens) || count(quota.output_tokens),
    cachedInputTokens: count(plain.cachedReadTokens),
  };
  return found.inputTokens + found.outputTokens + found.cachedInputTokens > 0 ? found : null;
}
