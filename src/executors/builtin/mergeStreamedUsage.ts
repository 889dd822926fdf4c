import { parseTokenCounts, type TokenCounts } from '../../base/spending/parseTokenCounts.ts';
import { toFields, toStringOrEmpty } from '../../base/json/untrusted.ts';
import { readAnthropicUsage, applyUsageDelta } from '../process/readAnthropicUsage.ts';
import { readUsageMember } from './ownMembers.ts';

function readOpenaiUsage(usage: unknown): TokenCounts {
  const fields = toFields(usage);
  return parseTokenCounts({
    inputTokens: fields.prompt_tokens,
    outputTokens: fields.completion_tokens,
    cachedInputTokens: toFields(fields.prompt_tokens_details).cached_tokens,
    reasoningTokens: toFields(fields.completion_tokens_details).reasoning_tokens,
  });
}

/**
 * Adds the next piece of a stream to the tokens reported so far: Anthropic reports the input at the
 * beginning and the output at the end, OpenAI both after the last piece.
 */
export function mergeStreamedUsage(before: TokenCounts | null, piece: unknown): TokenCounts | null {
  const { type, message } = toFields(piece);
  if (type === 'message_start') {
    const usage = readUsageMember(message);
    return usage === undefined ? before : readAnthropicUsage(usage);
  }
  const usage = readUsageMember(piece);
  if (usage === undefined) return before;
  if (type === 'message_delta')
    return before === null ? readAnthropicUsage(usage) : applyUsageDelta(before, usage);
  return type === 'message' ? readAnthropicUsage(usage) : readOpenaiUsage(usage);
}

/** The model that a piece of a stream names; null = none. */
export function readStreamedModel(piece: unknown): string | null {
  const { type, message, model } = toFields(piece);
  return toStringOrEmpty(type === 'message_start' ? toFields(message).model : model) || null;
}
