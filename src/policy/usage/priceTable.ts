/** Dollars for a million tokens. A missing rate equals that of plain input. */
export interface Rates {
  input: number;
  output: number;
  /** Input that is read from a cache. */
  cached?: number;
  /** Input that is written to a cache, for five minutes and for an hour. */
  write?: number;
  write1h?: number;
}

/** Names that it matches, ignoring case. */
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
  /** Its own models, where no endpoint tells the vendor; null = none. */
  models: Match | null;
  prices: readonly ModelPrice[];
}

export interface PriceTable {
  /** Date of the data, such as 2026-09-23. */
  date: string;
  /** The source package. */
  from: string;
  vendors: readonly Vendor[];
}

export function matchesModelName(match: Match, name: string): boolean {
  if ('and' in match) return match.and.every((one) => matchesModelName(one, name));
  if ('or' in match) return match.or.some((one) => matchesModelName(one, name));
  if ('equals' in match) return name === match.equals.toLowerCase();
  if ('starts_with' in match) return name.startsWith(match.starts_with.toLowerCase());
  if ('ends_with' in match) return name.endsWith(match.ends_with.toLowerCase());
  if ('contains' in match) return name.includes(match.contains.toLowerCase());
  return new RegExp(match.regex, 'i').test(name);
}

/** The rates for this much input. */
export const pickModelRates = (price: ModelPrice, inputTokens: number): Rates =>
  price.over?.findLast(({ tokens }) => inputTokens > tokens) ?? price;
