import type { Usage } from '../../contract/session.ts';

export const NO_USAGE: Required<Usage> = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
};

/** Adds, member by member. */
export const addUsage = (sum: Usage | null, more: Usage): Required<Usage> => ({
  inputTokens: (sum?.inputTokens ?? 0) + more.inputTokens,
  outputTokens: (sum?.outputTokens ?? 0) + more.outputTokens,
  cachedInputTokens: (sum?.cachedInputTokens ?? 0) + more.cachedInputTokens,
  cacheWriteTokens: (sum?.cacheWriteTokens ?? 0) + (more.cacheWriteTokens ?? 0),
});

/** What was added between two sums; never below zero. */
export const usageSince = (now: Usage, before: Usage): Required<Usage> => ({
  inputTokens: Math.max(0, now.inputTokens - before.inputTokens),
  outputTokens: Math.max(0, now.outputTokens - before.outputTokens),
  cachedInputTokens: Math.max(0, now.cachedInputTokens - before.cachedInputTokens),
  cacheWriteTokens: Math.max(0, (now.cacheWriteTokens ?? 0) - (before.cacheWriteTokens ?? 0)),
});

export const isUsed = ({ inputTokens, outputTokens }: Usage): boolean =>
  inputTokens + outputTokens > 0;

/** What a cache held is part of the input, and not beside it. */
export const isPartOfInput = ({
  inputTokens,
  cachedInputTokens,
  cacheWriteTokens = 0,
}: Usage): boolean => cachedInputTokens + cacheWriteTokens <= inputTokens;
