import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatCostsCsv } from '../../../src/contract/routes/spendingRoutes.ts';
import { ask, openSurface } from '../../support/http/httpSurface.ts';

const test = suite('http costs');

test('costs are JSON, and a table for those who accept CSV', async () => {
  const surface = await openSurface();
  try {
    const json = await ask(surface, '/costs?by=day,model&since=2026-11-22&limit=5');
    assert.is(Object(json.json).rows[0].usd, 1.25);
    assert.equal(surface.runner.calls.at(-1), [
      'costs',
      { by: 'day,model', since: '2026-11-22', limit: 5 },
    ]);
    const csv = await ask(surface, '/costs', { headers: { accept: 'text/csv' } });
    assert.match(csv.headers['content-type'] ?? '', /^text\/csv/);
    assert.match(csv.text, /^job,label,usd/);
  } finally {
    await surface.close();
  }
});

test('a part that costs are not split by is refused', async () => {
  const surface = await openSurface();
  try {
    assert.is((await ask(surface, '/costs?by=colour')).status, 400);
    assert.is((await ask(surface, '/costs?by=day,model,job')).status, 400);
  } finally {
    await surface.close();
  }
});

const SUM = {
  usd: 1.25,
  unpriced: 0,
  calls: 3,
  estimated: 0,
  sessions: 2,
  ms: 60_000,
  inputTokens: 1_000,
  outputTokens: 100,
  cachedInputTokens: 500,
  cacheWriteTokens: 0,
  reasoningTokens: 10,
  unreported: 0,
};
const HEAD =
  'job,label,usd,unpriced,calls,estimated,sessions,ms,inputTokens,outputTokens,cachedInputTokens,cacheWriteTokens,reasoningTokens,unreported\r\n';

test('the table has one line a row below the names', () => {
  const rows = [{ keys: ['j1'], label: 'Fix it', ...SUM }];
  assert.is(
    formatCostsCsv({ by: ['job'], rows }),
    `${HEAD}j1,Fix it,1.25,0,3,0,2,60000,1000,100,500,0,10,0\r\n`,
  );
});

test('without rows it has the names alone', () => {
  assert.is(formatCostsCsv({ by: ['job'], rows: [] }), HEAD);
});

test('what is not known is an empty cell', () => {
  const rows = [{ keys: [null], label: null, ...SUM, usd: null }];
  assert.match(formatCostsCsv({ by: ['job'], rows }), /^,,,0,3/m);
});

test('commas, quotes and line breaks stay within their cell', () => {
  const rows = [{ keys: ['j1'], label: 'a "b",\nc', ...SUM }];
  assert.ok(formatCostsCsv({ by: ['job'], rows }).includes('j1,"a ""b"",\nc",1.25'));
});

test('no spreadsheet takes a text for a formula', () => {
  const rows = [{ keys: ['=1+1'], label: '@SUM(A1)', ...SUM }];
  assert.ok(formatCostsCsv({ by: ['job'], rows }).includes("'=1+1,'@SUM(A1),1.25"));
});

test.run();
