import { parseTokenCounts, type TokenCounts } from '../../domain/parseTokenCounts.ts';
import { fields, text } from '../../lib/untrusted.ts';
import { anthropicUsage, withDelta } from '../process/anthropicUsage.ts';
import { usageIn } from './ownMembers.ts';

function openaiUsage(usage: unknown): TokenCounts {
  const found = fields(usage);
  return parseTokenCounts({
    inputTokens: found.prompt_tokens,
    outputTokens: found.completion_tokens,
    cachedInputTokens: fields(found.prompt_tokens_details).cached_tokens,
    reasoningTokens: fields(found.completion_tokens_details).reasoning_tokens,
  });
}

/**
 * What an answer has reported of its tokens so far, with the next piece of its stream: Anthropic's reports
 * the input when it begins and the output when it ends, OpenAI's reports both after its last piece.
 */
export function streamedUsage(before: TokenCounts | null, piece: unknown): TokenCounts | null {
  const { type, message } = fields(piece);
  if (type === 'message_start') {
    const usage = usageIn(message);
    return usage === undefined ? before : anthropicUsage(usage);
  }
  const usage = usageIn(piece);
  if (usage === undefined) return before;
  if (type === 'message_delta')
    return before === null ? anthropicUsage(usage) : withDelta(before, usage);
  return type === 'message' ? anthropicUsage(usage) : openaiUsage(usage);
}

/** What the endpoint says which model it is, in a piece of a stream; null where it does not. */
export function streamedModel(piece: unknown): string | null {
  const { type, message, model } = fields(piece);
  return text(type === 'message_start' ? fields(message).model : model) || null;
}
