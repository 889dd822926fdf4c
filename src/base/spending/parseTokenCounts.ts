import { describeOutsideValue } from '../json/describeOutsideValue.ts';
import { type CountedUsage, NO_USAGE } from './usageSum.ts';

/** Most tokens of one call of a model, input and output together: more is a wrong report. */
export const MAX_CALL_TOKENS = 100_000_000;
/** Most tokens of a report that many calls share: of a turn, or of a whole session. */
export const MAX_SESSION_TOKENS = 10_000_000_000;

/** The tokens of a call as their source writes them. Nothing in it has been checked. */
export interface GivenCounts {
  inputTokens: unknown;
  outputTokens: unknown;
  /** These are 0 where they are left out or null. */
  cachedInputTokens?: unknown;
  cacheWriteTokens?: unknown;
  cacheWrite1hTokens?: unknown;
  reasoningTokens?: unknown;
}

export interface CountRules {
  /** Most tokens, input and output together; default {@link MAX_CALL_TOKENS}. */
  most?: number;
  /** What a cache held is beside the input and not a part of it; default false. */
  isCacheBeside?: boolean;
  /** Thoughts are beside the output and not a part of it; default false. */
  areThoughtsBeside?: boolean;
}

export interface TokenCounts {
  /** Valid in every member; a missing or invalid count is 0. */
  usage: CountedUsage;
  /** What was ignored, for people: `input tokens: -5000`; null = nothing. */
  problem: string | null;
}

/** Whether a value is a whole number from 0 to 2^53-1. */
export const isWholeCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

class CountReader {
  readonly problems: string[] = [];

  read(name: string, value: unknown): number {
    if (value === undefined || value === null) return 0;
    if (isWholeCount(value)) return value === 0 ? 0 : value;
    this.problems.push(`${name}: ${describeOutsideValue(value)}`);
    return 0;
  }

  /** A count that cannot be larger than what it is a part of. */
  part(name: string, value: number, whole: number, of: string): number {
    if (value <= whole) return value;
    this.problems.push(`${name}: ${value} of ${whole} ${of}`);
    return 0;
  }

  get problem(): string | null {
    return this.problems.length === 0 ? null : this.problems.join(', ');
  }
}

/**
 * Token counts from outside: of an agent, a model's endpoint, a plugin. A value that is not a whole
 * number from 0 to 2^53-1 is ignored, and so is a part that is larger than its whole. Where input
 * and output together are more than a call can have, everything is. Never throws.
 */
export function parseTokenCounts(
  counts: GivenCounts,
  { most = MAX_CALL_TOKENS, isCacheBeside = false, areThoughtsBeside = false }: CountRules = {},
): TokenCounts {
  const reader = new CountReader();
  let input = reader.read('input tokens', counts.inputTokens);
  let output = reader.read('output tokens', counts.outputTokens);
  let cachedInputTokens = reader.read('cached input tokens', counts.cachedInputTokens);
  let cacheWriteTokens = reader.read('tokens written to a cache', counts.cacheWriteTokens);
  let thought = reader.read('reasoning tokens', counts.reasoningTokens);
  const forAnHour = reader.read('tokens cached for an hour', counts.cacheWrite1hTokens);
  if (isCacheBeside) input += cachedInputTokens + cacheWriteTokens;
  if (areThoughtsBeside) output += thought;
  if (input + output > most) {
    reader.problems.push(`${input + output} tokens, at most ${most} are possible`);
    return { usage: NO_USAGE, problem: reader.problem };
  }
  cachedInputTokens = reader.part('cached input tokens', cachedInputTokens, input, 'input tokens');
  cacheWriteTokens = reader.part(
    'tokens written to a cache',
    cacheWriteTokens,
    input - cachedInputTokens,
    'input tokens',
  );
  thought = reader.part('reasoning tokens', thought, output, 'output tokens');
  const usage: CountedUsage = {
    inputTokens: input,
    outputTokens: output,
    cachedInputTokens,
    cacheWriteTokens,
  };
  const hourCacheTokens = reader.part(
    'tokens cached for an hour',
    forAnHour,
    cacheWriteTokens,
    'written tokens',
  );
  if (hourCacheTokens > 0) usage.cacheWrite1hTokens = hourCacheTokens;
  if (thought > 0) usage.reasoningTokens = thought;
  return { usage, problem: reader.problem };
}

/** Tokens of a character where nothing counts them. */
const TOKENS_PER_CHAR = 0.3;

export const estimateTokens = (chars: number): number => Math.round(chars * TOKENS_PER_CHAR);

export interface CallChars {
  asked: number;
  answered: number;
}

/**
 * The usage with an estimate for each side that cannot be 0: the input always, the output where
 * something was answered. `isEstimated`: one of them was.
 */
export function estimateMissing(
  usage: CountedUsage,
  { asked, answered }: CallChars,
): { usage: CountedUsage; isEstimated: boolean } {
  const lacksInput = usage.inputTokens === 0 && asked > 0;
  const lacksOutput = usage.outputTokens === 0 && answered > 0;
  if (!lacksInput && !lacksOutput) return { usage, isEstimated: false };
  return {
    usage: {
      ...usage,
      inputTokens: lacksInput ? estimateTokens(asked) : usage.inputTokens,
      outputTokens: lacksOutput ? estimateTokens(answered) : usage.outputTokens,
    },
    isEstimated: true,
  };
}

/** Says once in a log why the tokens of calls are estimated. `problem`: of {@link TokenCounts}. */
export const estimateLine = (problem: string | null): string =>
  problem === null
    ? 'No usable token counts were reported for an answer: its tokens are estimated from the characters. This line is written once for a session.'
    : `Reported token counts were ignored (${problem}): what is missing is estimated from the characters. This line is written once for a session.`;
