import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore } from '../../../../src/jobs/store/openStore.ts';
import { createKernel } from '../../../../src/kernel/kernel.ts';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import type { Tables } from '../../../../src/contract/records/tables.ts';
import type { CostsQuery } from '../../../../src/contract/schema/policy/costs.ts';
import { createCosts } from '../../../../src/jobs/views/reports/createCosts.ts';
import { SimulatedClock } from '../../../support/charts/simulatedClock.ts';

const test = suite('views: costs');

type Call = Tables['usage_calls'];

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 10, 22, 12);

const aCall = (changed: Partial<Call>): Call => ({
  subject: 'job-1',
  visit: 1,
  session: 1,
  seq: 1,
  root: 'job-1',
  phase: 'coding',
  workflow: 'workflows/job.md',
  repository: 'shop',
  provider: 'builtin',
  model: 'large',
  at: NOON,
  ms: 1_000,
  input_tokens: 100,
  output_tokens: 10,
  cached_input_tokens: 40,
  cache_write_tokens: 5,
  cache_write_1h_tokens: 0,
  reasoning_tokens: 3,
  micro_usd: 1_500_000,
  metered: 1,
  source: 'reported',
  ...changed,
});

/** Two jobs of one campaign, one of them with a second model whose price is not known. */
const CALLS: Call[] = [
  aCall({}),
  aCall({ seq: 2, phase: 'review', at: NOON + DAY, micro_usd: 250_000 }),
  aCall({ subject: 'job-2', micro_usd: 500_000, repository: null }),
  aCall({ subject: 'job-2', seq: 2, model: 'new', micro_usd: null, source: 'estimated' }),
  aCall({
    subject: 'chat:c1',
    root: 'chat:c1',
    phase: 'chat',
    workflow: null,
    micro_usd: 0,
    metered: 0,
  }),
];

async function answerCosts(query: CostsQuery, calls: readonly Call[] = CALLS) {
  const store = openStore({ file: ':memory:', pid: 1, now: 0 });
  const clock = new SimulatedClock();
  const kernel = createKernel({ screen: null, store: store.durable, charts: [], ports: {}, clock });
  await kernel.start();
  await kernel.submit({
    rows: [
      ...calls.map((row) => ({ op: 'put' as const, table: 'usage_calls', row: { ...row } })),
      {
        op: 'put',
        table: 'job_summaries',
        row: {
          job_id: 'job-1',
          description: 'Fix the total\nof the cart',
          failed: 0,
          escalated: 0,
        },
      },
    ],
  });
  const { reader, rows } = { reader: store.costs, rows: store.rows };
  return createCosts({ reader, rows, prices: '2026-09-23' }).costs(query);
}

/** Keys with dollars and what is not priced. */
const brief = async (query: CostsQuery) =>
  (await answerCosts(query)).rows.map(({ keys, usd, unpriced }) => [...keys, usd, unpriced]);

test('by job, the most expensive first', async () => {
  assert.equal(await brief({}), [
    ['job-1', 1.75, 0],
    ['job-2', 0.5, 1],
    ['chat:c1', 0, 0],
  ]);
});

test('by campaign: a job with its sub-runs', async () => {
  assert.equal(await brief({ by: 'campaign' }), [
    ['job-1', 2.25, 1],
    ['chat:c1', 0, 0],
  ]);
});

for (const [by, expected] of [
  [
    'phase',
    [
      ['coding', 2, 1],
      ['review', 0.25, 0],
      ['chat', 0, 0],
    ],
  ],
  [
    'repository',
    [
      ['shop', 1.75, 1],
      [null, 0.5, 0],
    ],
  ],
  [
    'workflow',
    [
      ['workflows/job.md', 2.25, 1],
      [null, 0, 0],
    ],
  ],
  ['provider', [['builtin', 2.25, 1]]],
  [
    'model',
    [
      ['large', 2.25, 0],
      ['new', null, 1],
    ],
  ],
] as const) {
  test(`by ${by}`, async () => {
    assert.equal(await brief({ by }), expected);
  });
}

test('by day in UTC, in their order', async () => {
  assert.equal(await brief({ by: 'day' }), [
    ['2026-11-22', 2, 1],
    ['2026-11-23', 0.25, 0],
  ]);
});

test('by two parts at once', async () => {
  assert.equal(await brief({ by: 'day,model' }), [
    ['2026-11-22', 'large', 2, 0],
    ['2026-11-22', 'new', null, 1],
    ['2026-11-23', 'large', 0.25, 0],
  ]);
});

test('what is not known is null, and never 0', async () => {
  const { rows } = await answerCosts({ by: 'model', model: 'new' });
  assert.is(rows[0]?.usd, null);
});

test('a part of what is known is known', async () => {
  const { sum } = await answerCosts({ job: 'job-2' });
  assert.is(sum.usd, 0.5);
  assert.is(sum.unpriced, 1);
});

test('the sum is of all rows, and not of the page alone', async () => {
  const { rows, sum, total } = await answerCosts({ limit: 1, offset: 1 });
  assert.equal(
    rows.map(({ keys }) => keys),
    [['job-2']],
  );
  assert.is(total, 3);
  assert.equal(sum, {
    usd: 2.25,
    unpriced: 1,
    calls: 5,
    estimated: 1,
    sessions: 3,
    ms: 5_000,
    inputTokens: 500,
    outputTokens: 50,
    cachedInputTokens: 200,
    cacheWriteTokens: 25,
    reasoningTokens: 15,
    unreported: 0,
  });
});

test('since includes its instant, until does not', async () => {
  const at = new Date(NOON + DAY).toISOString();
  assert.is((await answerCosts({ since: at })).sum.calls, 1);
  assert.is((await answerCosts({ until: at })).sum.calls, 4);
});

test('a day alone begins in UTC', async () => {
  const costs = await answerCosts({ since: '2026-11-23' });
  assert.is(costs.since, '2026-11-23T00:00:00.000Z');
  assert.is(costs.sum.calls, 1);
});

test('a time that is none is refused with its name', async () => {
  const refused = await answerCosts({ since: 'yesterday' }).catch((error: unknown) => error);
  assert.instance(refused, SvcError);
  assert.match(refused instanceof SvcError ? refused.message : '', /since is not a time/);
});

test('filters narrow what is counted', async () => {
  assert.is((await answerCosts({ campaign: 'job-1', phase: 'coding' })).sum.usd, 2);
  assert.is((await answerCosts({ repository: 'shop' })).sum.usd, 1.75);
});

test('a job is labelled with the first line of its request', async () => {
  const { rows } = await answerCosts({ job: 'job-1' });
  assert.is(rows[0]?.label, 'Fix the total');
});

test('a session without a report is unpriced, and no call', async () => {
  const { sum } = await answerCosts({}, [aCall({ source: 'none', micro_usd: null })]);
  assert.is(sum.usd, null);
  assert.is(sum.calls, 0);
});

test('where no model was used the sum is 0, and known', async () => {
  const { sum, total } = await answerCosts({}, []);
  assert.is(sum.usd, 0);
  assert.is(total, 0);
});

test.run();
