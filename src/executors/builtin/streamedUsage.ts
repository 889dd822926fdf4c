import type { Usage } from '../../contract/session.ts';
import { count, type Fields, fields } from '../../lib/untrusted.ts';
import { anthropicUsage, withDelta } from '../process/anthropicUsage.ts';

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
  if (type === 'message_start') return anthropicUsage(fields(message).usage);
  if (type === 'message_delta' && before !== null) return withDelta(before, usage);
  const reported = fields(usage);
  return reported.prompt_tokens === undefined ? before : ofOpenai(reported);
}
