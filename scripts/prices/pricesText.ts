import { findProvider, type MatchLogic, type ModelInfo } from '@pydantic/genai-prices';
import type { ModelPrice, PriceTable, Rates, Vendor } from '../../src/policy/usage/priceTable.ts';

export const PRICES_FILE = 'src/policy/usage/prices.generated.ts';
export const PRICES_PACKAGE = '@pydantic/genai-prices';

/** Vendors whose endpoints or models sessions use; more of them make the table larger. */
const VENDORS = [
  'anthropic',
  'openai',
  'google',
  'openrouter',
  'deepseek',
  'mistral',
  'x-ai',
  'moonshotai',
  'zai',
  'minimax',
  'groq',
  'cerebras',
  'together',
  'fireworks',
];

/** Names of the package for rates; of several the first that a model has. */
const RATES = {
  input: ['input_mtok'],
  output: ['output_mtok'],
  cached: ['cache_read_mtok'],
  write: ['cache_write_mtok', 'cache_write_5m_mtok'],
  write1h: ['cache_write_1h_mtok'],
} as const satisfies Record<keyof Rates, readonly string[]>;

type Prices = Exclude<ModelInfo['prices'], readonly unknown[]>;

/** The prices that hold at a day and at every hour. */
function pricesAt({ prices }: ModelInfo, date: string): Prices {
  if (!Array.isArray(prices)) return prices;
  const now = prices.findLast(({ constraint }) => {
    if (constraint === undefined) return true;
    return 'start_date' in constraint && constraint.start_date <= date;
  });
  return now?.prices ?? {};
}

const KINDS = Object.keys(RATES) as (keyof Rates)[];

/** The rates of one kind of token: the base, and those from a number of tokens on. */
function listTiers(prices: Prices, kind: keyof Rates): { start: number; price: number }[] {
  const rate = RATES[kind].map((name) => prices[name]).find((price) => price !== undefined);
  if (rate === undefined) return [];
  if (typeof rate === 'number') return [{ start: 0, price: rate }];
  return [{ start: 0, price: rate.base }, ...rate.tiers];
}

/** The rates of a call with so much input; null where input or output has none. */
function readRates(prices: Prices, tokens: number): Rates | null {
  const rates: Partial<Rates> = {};
  for (const kind of KINDS) {
    const tier = listTiers(prices, kind).findLast(({ start }) => start <= tokens);
    if (tier) rates[kind] = tier.price;
  }
  const { input, output } = rates;
  return input === undefined || output === undefined ? null : { ...rates, input, output };
}

function listModelPrices(model: ModelInfo, date: string): ModelPrice[] {
  const prices = pricesAt(model, date);
  const base = readRates(prices, 0);
  if (base === null) return [];
  const starts = KINDS.flatMap((kind) => listTiers(prices, kind).map(({ start }) => start));
  const over = [...new Set(starts)]
    .filter((start) => start > 0)
    .sort((a, b) => a - b)
    .flatMap((tokens) => {
      const rates = readRates(prices, tokens);
      return rates === null ? [] : [{ tokens, ...rates }];
    });
  const price: ModelPrice = { match: shorter(model.match), ...base };
  if (over.length > 0) price.over = over;
  return [price];
}

/** Without what another part says already. */
function shorter(match: MatchLogic): MatchLogic {
  if ('or' in match && match.or.length === 1 && match.or[0]) return shorter(match.or[0]);
  if ('or' in match) {
    const starts = match.or.flatMap((one) => ('starts_with' in one ? [one.starts_with] : []));
    const isSaid = (one: MatchLogic): boolean => {
      const name = 'equals' in one ? one.equals : 'starts_with' in one ? one.starts_with : null;
      return name !== null && starts.some((start) => start !== name && name.startsWith(start));
    };
    return { or: match.or.filter((one) => !isSaid(one)).map(shorter) };
  }
  return match;
}

function createVendor(id: string, date: string): Vendor {
  const provider = findProvider({ providerId: id });
  if (!provider) throw new Error(`${PRICES_PACKAGE} does not know the provider ${id}.`);
  return {
    id,
    endpoint: provider.api_pattern,
    models: provider.model_match ?? null,
    prices: provider.models.flatMap((model) => listModelPrices(model, date)),
  };
}

export function pricesText({ date, from }: Pick<PriceTable, 'date' | 'from'>): string {
  const vendors = VENDORS.map((id) => createVendor(id, date)).map(
    ({ prices, ...vendor }) =>
      `${JSON.stringify(vendor).slice(0, -1)},"prices":[\n${prices.map((one) => JSON.stringify(one)).join(',\n')}\n]}`,
  );
  return `// Written by \`npm run prices\` from ${from}: do not edit.
import type { PriceTable } from './priceTable.ts';

type Vendors = PriceTable['vendors'];

const vendorsNow = (): Vendors => [
${vendors.join(',\n')}
];

let vendors: Vendors | null = null;

/** Prices of models at the release, made when they are first asked for: no start needs them. */
export const PRICES: PriceTable = {
  "date":"${date}","from":"${from}",
  get vendors() { return (vendors ??= vendorsNow()); },
};
`;
}
