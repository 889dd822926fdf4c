import { calcPrice, findProvider } from '@pydantic/genai-prices';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { computeCallPrice } from '../../../src/policy/usage/computeCallPrice.ts';
import { PRICES } from '../../../src/policy/usage/prices.generated.ts';

const test = suite('usage: prices of the release');

const VENDORS = ['anthropic', 'openai', 'google', 'mistral', 'x-ai'];
const SIZES = [1_000, 300_000];
/** Within what a vendor charges for a token, dollars. */
const CLOSE = 0.000_001;

const ours = (vendor: string, model: string, inputTokens: number): number | null => {
  const usage = { inputTokens, outputTokens: 100, cachedInputTokens: 400, cacheWriteTokens: 200 };
  const billing = { endpoint: null, vendor, paidBy: 'key', model: null } as const;
  const { microUsd } = computeCallPrice({ billing, model, usage }, { own: [], table: PRICES });
  return microUsd === null ? null : microUsd / 1_000_000;
};
const theirs = (providerId: string, model: string, inputTokens: number): number | null => {
  const usage = {
    input_tokens: inputTokens,
    output_tokens: 100,
    cache_read_tokens: 400,
    cache_write_tokens: 200,
  };
  const timestamp = new Date(`${PRICES.date}T12:00:00Z`);
  return calcPrice(usage, model, { providerId, timestamp })?.total_price ?? null;
};

for (const vendor of VENDORS) {
  test(`models of ${vendor} cost what the package says, with tiers and caches`, () => {
    const models = (findProvider({ providerId: vendor })?.models ?? []).map(({ id }) => id);
    let compared = 0;
    for (const model of models) {
      for (const size of SIZES) {
        const due = theirs(vendor, model, size);
        const price = ours(vendor, model, size);
        // Models that are not asked for text have no price of input or output.
        if (due === null || price === null) continue;
        assert.ok(Math.abs(price - due) < CLOSE, `${model} at ${size}: ${price} and not ${due}`);
        compared += 1;
      }
    }
    assert.ok(compared > models.length, `${compared} of ${models.length} models were compared`);
  });
}

test('a long input has the rates of its tier', () => {
  const short = ours('google', 'gemini-2.5-pro', 100_000) ?? 0;
  const long = ours('google', 'gemini-2.5-pro', 300_000) ?? 0;
  assert.ok(long > 3.5 * short, `${long} and ${short}`);
});

test('every pattern of the table can be tried', () => {
  for (const { endpoint } of PRICES.vendors) assert.ok(new RegExp(`^${endpoint}`, 'i'));
  assert.match(PRICES.date, /^\d{4}-\d\d-\d\d$/);
});

test.run();
