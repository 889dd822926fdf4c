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
