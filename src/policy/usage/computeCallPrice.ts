import { stripFolderPath } from '../../base/text/folderPaths.ts';
import type { Billing } from '../../contract/session/usageReport.ts';
import { MAX_SUM } from '../../base/spending/addBounded.ts';
import { isPrivateHost } from '../../base/system/network/isPrivateHost.ts';
import type { OwnPrice } from '../../contract/schema/runner/settings.ts';
import type { Usage } from '../../contract/schema/session/usage.ts';
import {
  matchesModelName,
  type PriceTable,
  type Rates,
  pickModelRates,
  type Vendor,
} from './priceTable.ts';

/** Why a call costs what it does. */
export type PriceReason =
  /** By `budgets.prices` or the table of the release. */
  | 'configured'
  | 'table'
  /** Paid by the month, or the endpoint is on this machine or in its network. */
  | 'subscription'
  | 'private'
  /** No source names the model at this endpoint. */
  | 'unknown';

export interface Price {
  /** Millionths of a dollar; null = unknown, which is not 0. */
  microUsd: number | null;
  /** Whether caps on dollars count it; false for free calls. */
  metered: boolean;
  why: PriceReason;
}

export interface PricedCall {
  billing: Billing;
  /** The endpoint's name of the model; null = unknown. */
  model: string | null;
  usage: Usage;
}

export interface PriceSources {
  /** `budgets.prices`: the first match counts, before the table. */
  own: readonly OwnPrice[];
  table: PriceTable;
}

const FREE = { microUsd: 0, metered: false } as const;

/**
 * The price of a call. A dollar for a million tokens is a millionth of a dollar for one; each call
 * is rounded to a whole millionth, so that sums are exact.
 */
export function computeCallPrice(
  { billing, model, usage }: PricedCall,
  { own, table }: PriceSources,
): Price {
  const { endpoint, paidBy } = billing;
  if (paidBy === 'subscription') return { ...FREE, why: 'subscription' };
  const names = listModelNames(model);
  const ownPrice = own.find((price) => isFor(price, names, endpoint));
  if (ownPrice) {
    const microUsd = computeMicroCost(ownPrice, usage);
    return { microUsd, metered: !areRatesFree(ownPrice), why: 'configured' };
  }
  if (endpoint !== null && isPrivate(endpoint)) return { ...FREE, why: 'private' };
  const rates = findModelRates(table, billing, names, usage.inputTokens);
  return rates === null
    ? { microUsd: null, metered: true, why: 'unknown' }
    : { microUsd: computeMicroCost(rates, usage), metered: true, why: 'table' };
}

/** The name, and the name without its owner: `anthropic/…`, `models/…`. */
function listModelNames(model: string | null): string[] {
  const name = (model ?? '').trim().toLowerCase();
  const last = stripFolderPath(name);
  return [...new Set([name, last])].filter((one) => one !== '');
}

const areRatesFree = ({ input, output, cached = 0, write = 0, write1h = 0 }: Rates): boolean =>
  Math.max(input, output, cached, write, write1h) === 0;

function isFor(price: OwnPrice, names: readonly string[], endpoint: string | null): boolean {
  if (price.endpoint !== undefined && !endpoint?.startsWith(price.endpoint)) return false;
  // An unknown model matches only `*`.
  if (price.model === '*') return true;
  const pattern = price.model.toLowerCase().split('*').map(escapePatternText).join('.*');
  return names.some((name) => new RegExp(`^${pattern}$`).test(name));
}

const escapePatternText = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');

const isPrivate = (endpoint: string): boolean =>
  URL.canParse(endpoint) && isPrivateHost(new URL(endpoint).hostname);

/**
 * The seller of the call: the vendor of the endpoint, or the named one, or that of the model. Other
 * endpoints have their own prices.
 */
function findCallVendor(
  { vendors }: PriceTable,
  { endpoint, vendor }: Billing,
  names: readonly string[],
): Vendor | undefined {
  if (endpoint !== null)
    return vendors.find((one) => new RegExp(`^${one.endpoint}`, 'i').test(endpoint));
  if (vendor !== null) return vendors.find(({ id }) => id === vendor);
  return vendors.find(
    ({ models }) => models !== null && names.some((name) => matchesModelName(models, name)),
  );
}

function findModelRates(
  table: PriceTable,
  billing: Billing,
  names: readonly string[],
  inputTokens: number,
): Rates | null {
  const vendor = findCallVendor(table, billing, names);
  for (const name of names) {
    const price = vendor?.prices.find(({ match }) => matchesModelName(match, name));
    if (price) return pickModelRates(price, inputTokens);
  }
  return null;
}

function computeMicroCost(rates: Rates, usage: Usage): number {
  const { input, output, cached = input, write = input, write1h = write } = rates;
  const { inputTokens, outputTokens, cachedInputTokens } = usage;
  const { cacheWriteTokens = 0, cacheWrite1hTokens = 0 } = usage;
  const forAnHour = Math.min(cacheWrite1hTokens, cacheWriteTokens);
  const plain = Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens);
  const cost = Math.round(
    plain * input +
      cachedInputTokens * cached +
      (cacheWriteTokens - forAnHour) * write +
      forAnHour * write1h +
      outputTokens * output,
  );
  return Math.min(MAX_SUM, cost);
}
