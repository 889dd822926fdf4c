import { count, type Fields, fields, text } from '../../lib/untrusted.ts';
import { anthropicUsage, withDelta } from '../process/anthropicUsage.ts';
import type { CountedUsage } from '../../domain/usageSum.ts';

function ofOpenai(usage: Fields): CountedUsage {
  const counted: CountedUsage = {
    inputTokens: count(usage.prompt_tokens),
    outputTokens: count(usage.completion_tokens),
    cachedInputTokens: count(fields(usage.prompt_tokens_details).cached_tokens),
    cacheWriteTokens: 0,
  };
  const thought = count(fields(usage.completion_tokens_details).reasoning_tokens);
  if (thought > 0) counted.reasoningTokens = thought;
  return counted;
}

/**
 * What an answer has reported of its tokens so far, with the next piece of its stream: Anthropic's reports
 * the input when it begins and the output when it ends, OpenAI's reports both after its last piece.
 */
export function streamedUsage(before: CountedUsage | null, piece: unknown): CountedUsage | null {
  const { type, message, usage } = fields(piece);
  if (type === 'message_start') return anthropicUsage(fields(message).usage);
  if (type === 'message_delta' && before !== null) return withDelta(before, usage);
  const reported = fields(usage);
  return reported.prompt_tokens === undefined ? before : ofOpenai(reported);
}

/** What the endpoint says which model it is, in a piece of a stream; null where it does not. */
export function streamedModel(piece: unknown): string | null {
  const { type, message, model } = fields(piece);
  return text(type === 'message_start' ? fields(message).model : model) || null;
}
