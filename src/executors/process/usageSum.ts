import type { Usage } from '../../contract/session.ts';

export const addUsage = (
  sum: Usage | null,
  { inputTokens, outputTokens, cachedInputTokens }: Usage,
): Usage => ({
  inputTokens: (sum?.inputTokens ?? 0) + inputTokens,
  outputTokens: (sum?.outputTokens ?? 0) + outputTokens,
  cachedInputTokens: (sum?.cachedInputTokens ?? 0) + cachedInputTokens,
});
