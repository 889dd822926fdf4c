import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import CostCommand from '../../cli/commands/cost.ts';
import type { Costs } from '../../src/contract/schema/policy/costs.ts';
import { CommandLine } from '../support/cli/commandLine.ts';
import { fakeRunner, type Reply } from '../support/http/fakeRunner.ts';

const test = suite<{ home: string }>('command cost');

test.before.each(async (context) => {
  context.home = await mkdtemp(join(tmpdir(), 'svc-cost-'));
});
test.after.each(({ home }) => rm(home, { recursive: true, force: true }));

const SUM = {
  usd: 1.25,
  unpriced: 0,
  calls: 3,
  estimated: 0,
  sessions: 2,
  ms: 60_000,
  inputTokens: 12_345,
  outputTokens: 100,
  cachedInputTokens: 500,
  cacheWriteTokens: 0,
  reasoningTokens: 10,
  unreported: 0,
};
const COSTS: Costs = {
  by: ['job'],
  since: null,
  until: null,
  rows: [
    { keys: ['job-1'], label: 'Fix the total', ...SUM },
    { keys: ['job-2'], label: null, ...SUM, usd: null, unpriced: 2 },
  ],
  total: 3,
  limit: 2,
  offset: 0,
  sum: { ...SUM, unpriced: 2 },
  prices: '2026-09-23',
};

async function run(home: string, argv: string[], reply: Reply = [200, COSTS]) {
  const runner = await fakeRunner({ 'GET /costs': reply });
  try {
    const result = await new CommandLine({ SVC_HOME: home, SVC_URL: runner.url }).run(
      CostCommand,
      argv,
    );
    return { ...result, paths: runner.seen.map(({ path }) => path) };
  } finally {
    await runner.close();
  }
}

test('the table shows dollars, tokens and what is unpriced, with the sum below', async ({
  home,
}) => {
  const { out } = await run(home, []);
  assert.equal(out.split('\n'), [
    'JOB    COST              INPUT  CACHED  OUTPUT  CALLS  SESSIONS  REQUEST',
    'job-1  $1.25             12.3k  500     100     3      2         Fix the total',
    'job-2  unpriced          12.3k  500     100     3      2',
    'all    $1.25 + unpriced  12.3k  500     100     3      2',
    '2 of 3 rows; more: --offset 2',
    '2 calls have no known price (prices of 2026-09-23): set budgets.prices for their model. See svc cost --by model.',
    '',
  ]);
});

test('tokens that no session has reported are unknown, and those of some are at least so many', async ({
  home,
}) => {
  const none = { usd: null, unpriced: 2, calls: 0, unreported: 2, cachedInputTokens: 0 };
  const rows = [
    { keys: ['silent'], label: null, ...SUM, ...none, inputTokens: 0, outputTokens: 0 },
    { keys: ['mixed'], label: null, ...SUM, unpriced: 1, unreported: 1 },
  ];
  const sum = { ...SUM, unpriced: 3, unreported: 3 };
  const { out } = await run(home, [], [200, { ...COSTS, rows, sum, total: 2 }]);
  assert.equal(out.split('\n'), [
    'JOB     COST              INPUT    CACHED   OUTPUT   CALLS  SESSIONS',
    'silent  unpriced          unknown  unknown  unknown  0      2',
    'mixed   $1.25 + unpriced  12.3k+   500+     100+     3      2',
    'all     $1.25 + unpriced  12.3k+   500+     100+     3      2',
    '3 sessions have reported no tokens: what they have used and cost is not known.',
    '',
  ]);
});

test('flags are the query of the route', async ({ home }) => {
  const argv = ['--by', 'day,model', '--repo', 'shop', '--since', '2026-11-22', '--limit', '5'];
  const { paths } = await run(home, argv);
  assert.equal(paths, ['/costs?by=day%2Cmodel&limit=5&offset=0&since=2026-11-22&repository=shop']);
});

test('how long ago is a time', async ({ home }) => {
  const { paths } = await run(home, ['--since', '7d']);
  assert.match(paths[0] ?? '', /since=\d{4}-\d\d-\d\dT/);
});

test('--csv prints the table of the route as it is', async ({ home }) => {
  const { out } = await run(home, ['--csv'], [200, 'job,usd\r\nj,1\r\n']);
  assert.is(out, 'job,usd\r\nj,1\r\n');
});

test('--json prints the reply of the route', async ({ home }) => {
  const { out } = await run(home, ['--json']);
  assert.equal(JSON.parse(out), COSTS);
});

test('where no model was used it says that', async ({ home }) => {
  const { out } = await run(home, [], [200, { ...COSTS, rows: [], total: 0 }]);
  assert.is(out, 'No model was used.\n');
});

test.run();
