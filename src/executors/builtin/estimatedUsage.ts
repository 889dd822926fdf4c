import { type CountedUsage, NO_USAGE } from '../../domain/usageSum.ts';

/** Tokens of a character where an endpoint counts none. */
const TOKENS_PER_CHAR = 0.3;

/**
 * What an answer has used, where its endpoint does not report it: by the characters that were
 * asked, as JSON, and `said`.
 */
export const estimatedUsage = (
  asked: Readonly<Record<'system' | 'messages' | 'tools', unknown>>,
  said: number,
): CountedUsage => ({
  ...NO_USAGE,
  inputTokens: Math.round(JSON.stringify(asked).length * TOKENS_PER_CHAR),
  outputTokens: Math.round(said * TOKENS_PER_CHAR),
});
