/** Dollars for people: `$12.50`, `$0.034`; less than a thousandth of a dollar is not called nothing. */
export function formatDollars(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 0.001) return '<$0.001';
  return `$${usd.toFixed(usd < 1 ? 3 : 2)}`;
}

/** A cost for people; unknown parts are named: `$1.20`, `unpriced`, `$1.20 + unpriced`. */
export const formatCost = ({ usd, unpriced }: { usd: number | null; unpriced: number }): string =>
  usd === null ? 'unpriced' : `${formatDollars(usd)}${unpriced > 0 ? ' + unpriced' : ''}`;

/**
 * Why a sum is not the full cost, in sentences; null = it is. Sessions without a report may have
 * used a model that svc does not know about.
 */
export function explainUnpriced(
  { unpriced, unreported }: { unpriced: number; unreported: number },
  prices: string,
): string | null {
  const calls = unpriced - unreported;
  const sentences = [
    ...(calls > 0
      ? [
          `${calls} ${calls === 1 ? 'call has' : 'calls have'} no known price (prices of ${prices}): set budgets.prices for their model.`,
        ]
      : []),
    ...(unreported > 0
      ? [
          `${unreported} ${unreported === 1 ? 'session has' : 'sessions have'} reported no tokens: what ${unreported === 1 ? 'it has' : 'they have'} used and cost is not known.`,
        ]
      : []),
  ];
  return sentences.length === 0 ? null : sentences.join(' ');
}
