import type { Usage } from '../../contract/session.ts';
import { count, type Fields, fields } from '../../lib/untrusted.ts';

const ofAnthropic = (usage: Fields): Required<Usage> => {
  const cachedInputTokens = count(usage.cache_read_input_tokens);
  const cacheWriteTokens = count(usage.cache_creation_input_tokens);
  return {
    inputTokens: count(usage.input_tokens) + cachedInputTokens + cacheWriteTokens,
    outputTokens: count(usage.output_tokens),
    cachedInputTokens,
    cacheWriteTokens,
  };
};

const ofOpenai = (usage: Fields): Required<Usage> => ({
  inputTokens: count(usage.prompt_tokens),
  outputTokens: count(usage.completion_tokens),
  cachedInputTokens: count(fields(usage.prompt_tokens_details).cached_tokens),
  cacheWriteTokens: 0,
});

/**
 * What an answer has reported of its tokens so far, with the next piece of its stream: Anthropic's reports
 * the input when it begins and the output when it ends, OpenAI's reports both after its last piece.
 */
export function streamedUsage(before: Usage | null, piece: unknown): Usage | null {
  const { type, message, usage } = fields(piece);
  if (type === 'message_start') return ofAnthropic(fields(fields(message).usage));
  const reported = fields(usage);
  if (type === 'message_delta' && before !== null)
    return {
      ...before,
      outputTokens: Math.max(before.outputTokens, ofAnthropic(reported).outputTokens),
    };
  return reported.prompt_tokens === undefined ? before : ofOpenai(reported);
}
