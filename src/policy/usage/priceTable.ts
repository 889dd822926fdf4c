/** Dollars for a million tokens. What is left out costs what plain input does. */
export interface Rates {
  input: number;
  output: number;
  /** Read from a cache. */
  cached?: number;
  /** Written to a cache, for five minutes and for an hour. */
  write?: number;
  write1h?: number;
}

/** Which names it holds for; the comparison ignores case. */
export type Match =
  | { and: readonly Match[] }
  | { or: readonly Match[] }
  | { equals: string }
  | { starts_with: string }
  | { ends_with: string }
  | { contains: string }
  | { regex: string };

export interface ModelPrice extends Rates {
  match: Match;
  /** Rates of calls with more input than `tokens`, fewest first. */
  over?: readonly (Rates & { tokens: number })[];
}

export interface Vendor {
  id: string;
  /** Regular expression: addresses of its endpoints. */
  endpoint: string;
  /** Models that are its own, wherever no endpoint says whose they are; null = none. */
  models: Match | null;
  prices: readonly ModelPrice[];
}

/** Prices as they were at the release. */
export interface PriceTable {
  /** Of the data, such as 2026-09-23. */
  date: string;
  /** The package that it is made from. */
  from: string;
  vendors: readonly Vendor[];
}

/** Whether a name, in lower case, fits. */
export function matchesModelName(match: Match, name: string): boolean {
  if ('and' in match) return match.and.every((one) => matchesModelName(one, name));
  if ('or' in match) return match.or.some((one) => matchesModelName(one, name));
  if ('equals' in match) return name === match.equals.toLowerCase();
  if ('starts_with' in match) return name.startsWith(match.starts_with.toLowerCase());
  if ('ends_with' in match) return name.endsWith(match.ends_with.toLowerCase());
  if ('contains' in match) return name.includes(match.contains.toLowerCase());
  return new RegExp(match.regex, 'i').test(name);
}

/** The rates of a call with so much input. */
export const pickModelRates = (price: ModelPrice, inputTokens: number): Rates =>
  price.over?.findLast(({ tokens }) => inputTokens > tokens) ?? price;
