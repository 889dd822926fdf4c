import { parseTokenCounts, type TokenCounts } from '../../shared/spending/parseTokenCounts.ts';
import { toFields, toStringOrEmpty } from '../../shared/json/untrusted.ts';
import { readAnthropicUsage, applyUsageDelta } from '../process/readAnthropicUsage.ts';
import { readUsageMember } from './ownMembers.ts';

function readOpenaiUsage(usage: unknown): TokenCounts {
  const found = toFields(usage);
  return parseTokenCounts({
    inputTokens: found.prompt_tokens,
    outputTokens: found.completion_tokens,
    cachedInputTokens: toFields(found.prompt_tokens_details).cached_tokens,
    reasoningTokens: toFields(found.completion_tokens_details).reasoning_tokens,
  });
}

/**
 * What an answer has reported of its tokens so far, with the next piece of its stream: Anthropic's reports
 * the input when it begins and the output when it ends, OpenAI's reports both after its last piece.
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

/** What the endpoint says which model it is, in a piece of a stream; null where it does not. */
export function readStreamedModel(piece: unknown): string | null {
  const { type, message, model } = toFields(piece);
  return toStringOrEmpty(type === 'message_start' ? toFields(message).model : model) || null;
}
