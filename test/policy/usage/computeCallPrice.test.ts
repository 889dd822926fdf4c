import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Billing } from '../../../src/contract/session/usageReport.ts';
import type { Usage } from '../../../src/contract/schema/session/usage.ts';
import { computeCallPrice, type PriceSources } from '../../../src/policy/usage/computeCallPrice.ts';
import type { PriceTable } from '../../../src/policy/usage/priceTable.ts';

const test = suite('usage: price of a call');

const TABLE: PriceTable = {
  date: '2026-09-23',
  from: 'a test',
  vendors: [
    {
      id: 'anthropic',
      endpoint: 'https://api\\.anthropic\\.com',
      models: { contains: 'claude' },
      prices: [
        {
          match: { or: [{ starts_with: 'claude-sonnet-4-5' }, { equals: 'sonnet' }] },
          input: 3,
          output: 15,
          cached: 0.3,
          write: 3.75,
          write1h: 6,
          over: [{ tokens: 200_000, input: 6, output: 22.5, cached: 0.6, write: 7.5, write1h: 12 }],
        },
      ],
    },
    {
      id: 'openrouter',
      endpoint: 'https://openrouter\\.ai',
      models: null,
      prices: [{ match: { equals: 'anthropic/claude-sonnet-4-5' }, input: 4, output: 16 }],
    },
  ],
};
const SOURCES: PriceSources = { own: [], table: TABLE };
const KEY: Billing = { endpoint: null, vendor: null, paidBy: 'key', model: null };
const SONNET = 'claude-sonnet-4-5-20250929';

const createUsage = (
  inputTokens: number,
  outputTokens: number,
  parts: Partial<Usage> = {},
): Usage => ({
  inputTokens,
  outputTokens,
  cachedInputTokens: 0,
  ...parts,
});
const priced = (
  call: { billing?: Partial<Billing>; model?: string | null; usage?: Usage },
  own: PriceSources['own'] = [],
) =>
  computeCallPrice(
    {
      billing: { ...KEY, ...call.billing },
      model: call.model === undefined ? SONNET : call.model,
      usage: call.usage ?? createUsage(1_000, 100),
    },
    { ...SOURCES, own },
  );

test('a call costs its tokens at the rates of the model', () => {
  assert.equal(priced({}), { microUsd: 4_500, metered: true, why: 'table' });
});

test('what a cache held is part of the input and has rates of its own', () => {
  const usage = createUsage(1_000, 0, {
    cachedInputTokens: 500,
    cacheWriteTokens: 300,
    cacheWrite1hTokens: 100,
  });
  assert.is(priced({ usage }).microUsd, 200 * 3 + 500 * 0.3 + 200 * 3.75 + 100 * 6);
});

test('a call with more input than a tier begins at has the rates of the tier for all of it', () => {
  assert.is(priced({ usage: createUsage(200_000, 0) }).microUsd, 600_000);
  assert.is(priced({ usage: createUsage(200_001, 0) }).microUsd, 1_200_006);
});

test('each call is rounded to a whole millionth of a dollar', () => {
  assert.is(priced({ usage: createUsage(1, 0, { cachedInputTokens: 1 }) }).microUsd, 0);
  assert.is(priced({ usage: createUsage(2, 0, { cachedInputTokens: 2 }) }).microUsd, 1);
});

test('a model that the table does not name has no price, which is not 0', () => {
  assert.equal(priced({ model: 'claude-of-tomorrow' }), {
    microUsd: null,
    metered: true,
    why: 'unknown',
  });
});

test('a call without a model has no price', () => {
  assert.is(priced({ model: null }).microUsd, null);
});

test('an endpoint of others has no price, whatever its model is called', () => {
  assert.is(priced({ billing: { endpoint: 'https://models.example.com/v1' } }).microUsd, null);
});

test('the vendor of the endpoint has prices of its own for the same model', () => {
  const model = 'anthropic/claude-sonnet-4-5';
  const at = (endpoint: string) => priced({ billing: { endpoint }, model }).microUsd;
  assert.is(at('https://openrouter.ai/api/v1'), 5_600);
  assert.is(at('https://api.anthropic.com/v1'), 4_500);
});

test('a vendor that is named has its prices, and one that the table lacks has none', () => {
  assert.is(priced({ billing: { vendor: 'anthropic' } }).microUsd, 4_500);
  assert.is(priced({ billing: { vendor: 'zen' } }).microUsd, null);
});

for (const endpoint of [
  'http://127.0.0.1:11434/v1',
  'http://[::1]:8080/v1',
  'http://10.1.2.3/v1',
  'http://172.20.0.2/v1',
  'http://192.168.1.20:1234/v1',
  'http://[fd00::1]/v1',
  'http://ollama:11434/v1',
  'https://models.internal/v1',
]) {
  test(`a call of ${endpoint} costs nothing and is not metered`, () => {
    assert.equal(priced({ billing: { endpoint } }), {
      microUsd: 0,
      metered: false,
      why: 'private',
    });
  });
}

test('an address that only looks private has a price that is not known', () => {
  for (const host of ['172.32.0.1', '11.0.0.1', '10.example.com', 'internal.example.com'])
    assert.is(priced({ billing: { endpoint: `https://${host}/v1` } }).why, 'unknown', host);
});

test('a subscription is not metered, whatever the model costs', () => {
  assert.equal(priced({ billing: { paidBy: 'subscription' } }), {
    microUsd: 0,
    metered: false,
    why: 'subscription',
  });
});

test('a price of the configuration comes before the table and before private endpoints', () => {
  const own = [{ model: 'claude-*', input: 1, output: 2 }];
  const local = { endpoint: 'http://127.0.0.1:1/v1' };
  assert.equal(priced({}, own), { microUsd: 1_200, metered: true, why: 'configured' });
  assert.is(priced({ billing: local }, own).why, 'configured');
});

test('of several prices of the configuration the first that fits counts', () => {
  const own = [
    { model: 'claude-sonnet-4-5*', endpoint: 'https://gateway.example', input: 9, output: 9 },
    { model: '*', input: 1, output: 1 },
  ];
  assert.is(priced({}, own).microUsd, 1_100);
  assert.is(priced({ billing: { endpoint: 'https://gateway.example/v1' } }, own).microUsd, 9_900);
});

test('a price of 0 in the configuration is a price, and is not metered', () => {
  const own = [{ model: '*', input: 0, output: 0 }];
  assert.equal(priced({ model: null }, own), { microUsd: 0, metered: false, why: 'configured' });
});

test('a pattern is no regular expression, and fits the whole name', () => {
  const own = [{ model: 'gpt.5', input: 1, output: 1 }];
  assert.is(priced({ model: 'gpt-5' }, own).why, 'unknown');
  assert.is(priced({ model: 'my-gpt.5' }, own).why, 'unknown');
  assert.is(priced({ model: 'GPT.5' }, own).why, 'configured');
});

test.run();
