/** Dollars for people: `$12.50`, `$0.034`; less than a thousandth of a dollar is not called nothing. */
export function dollarText(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 0.001) return '<$0.001';
  return `$${usd.toFixed(usd < 1 ? 3 : 2)}`;
}

/**
 * What something has cost; what is not known is named, and not called nothing: `$1.20`, `unpriced`,
 * `$1.20 + unpriced`.
 */
export const moneyText = ({ usd, unpriced }: { usd: number | null; unpriced: number }): string =>
  usd === null ? 'unpriced' : `${dollarText(usd)}${unpriced > 0 ? ' + unpriced' : ''}`;

/**
 * Why a sum is not the whole cost, as a sentence; null = it is. Sessions without a report have asked a
 * model, or none, that svc knows nothing of.
 */
export function unpricedText(
  { unpriced, calls }: { unpriced: number; calls: number },
  prices: string,
): string | null {
  if (unpriced === 0) return null;
  const one = unpriced === 1;
  if (calls === 0)
    return `${unpriced} ${one ? 'session has' : 'sessions have'} reported no tokens: what ${one ? 'it has' : 'they have'} cost is not known.`;
  return `${unpriced} ${one ? 'call has' : 'calls have'} no known price (prices of ${prices}): set budgets.prices for their model.`;
}
