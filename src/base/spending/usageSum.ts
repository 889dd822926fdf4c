import { addBounded } from './addBounded.ts';

/** Tokens as they cross borders: `Usage` of the schema. */
interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens?: number;
  cacheWrite1hTokens?: number;
  reasoningTokens?: number;
}

/** Tokens, including those written to a cache; the optional counts are set only where some were reported. */
export type CountedUsage = Usage & Required<Pick<Usage, 'cacheWriteTokens'>>;

export const NO_USAGE: CountedUsage = {
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
};

function combineUsages(
  one: Usage,
  other: Usage,
  join: (one: number, other: number) => number,
): CountedUsage {
  const sum: CountedUsage = {
    inputTokens: join(one.inputTokens, other.inputTokens),
    outputTokens: join(one.outputTokens, other.outputTokens),
    cachedInputTokens: join(one.cachedInputTokens, other.cachedInputTokens),
    cacheWriteTokens: join(one.cacheWriteTokens ?? 0, other.cacheWriteTokens ?? 0),
  };
  for (const part of ['cacheWrite1hTokens', 'reasoningTokens'] as const) {
    const tokens = join(one[part] ?? 0, other[part] ?? 0);
    if (tokens > 0) sum[part] = tokens;
  }
  return sum;
}

/** Adds, member by member; no sum is larger than 2^53-1. */
export const addUsage = (sum: Usage | null, more: Usage): CountedUsage =>
  combineUsages(sum ?? NO_USAGE, more, addBounded);

/** What was added between two sums; never below zero. */
export const subtractUsage = (now: Usage, before: Usage): CountedUsage =>
  combineUsages(now, before, (one, other) => Math.max(0, one - other));

export const pickLargerUsage = (one: Usage, other: Usage): CountedUsage =>
  combineUsages(one, other, Math.max);

/** Removes a count of written tokens that is 0: its source may not count them. */
export function dropUnwrittenTokens({ cacheWriteTokens, ...usage }: CountedUsage): Usage {
  return cacheWriteTokens === 0 ? usage : { ...usage, cacheWriteTokens };
}

export const isUsed = ({ inputTokens, outputTokens }: Usage): boolean =>
  inputTokens + outputTokens > 0;

/** What a cache held is part of the input, and not beside it. */
export const isPartOfInput = ({
  inputTokens,
  cachedInputTokens,
  cacheWriteTokens = 0,
}: Usage): boolean => cachedInputTokens + cacheWriteTokens <= inputTokens;
