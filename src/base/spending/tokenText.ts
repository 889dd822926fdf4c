interface CountedTokens {
  inputTokens: number;
  outputTokens: number;
  unreported: number;
}

/** No session has reported tokens, and at least one has ended: how many were used is unknown. */
const areTokensUnknown = ({ inputTokens, outputTokens, unreported }: CountedTokens): boolean =>
  inputTokens + outputTokens === 0 && unreported > 0;

/**
 * One count of tokens for a column: `unknown` where no session has reported any, `12.3k+` where some
 * sessions have not, so that it is at least so many. `format` writes the number.
 */
export function formatTokens(
  tokens: number,
  sum: CountedTokens,
  format: (tokens: number) => string = String,
): string {
  if (areTokensUnknown(sum)) return 'unknown';
  return `${format(tokens)}${sum.unreported > 0 ? '+' : ''}`;
}

/** What a sum of tokens lacks, as a sentence; null = nothing. */
export const describeUnreported = ({ unreported }: { unreported: number }): string | null =>
  unreported === 0
    ? null
    : `${unreported} ${unreported === 1 ? 'session' : 'sessions'} reported no tokens: how many ${unreported === 1 ? 'it' : 'they'} used is unknown.`;

/** Tokens in a line: `not reported`; `5 in, 3 out`; `5 in, 3 out; 2 sessions not reported`. */
export function describeTokens(
  { cachedInputTokens = 0, ...sum }: CountedTokens & { cachedInputTokens?: number },
  format: (tokens: number) => string = String,
): string {
  if (areTokensUnknown(sum)) return 'not reported';
  const cachedText = cachedInputTokens > 0 ? ` (${format(cachedInputTokens)} cached)` : '';
  const missing =
    sum.unreported > 0
      ? `; ${sum.unreported} ${sum.unreported === 1 ? 'session' : 'sessions'} not reported`
      : '';
  return `${format(sum.inputTokens)} in${cachedText}, ${format(sum.outputTokens)} out${missing}`;
}
