import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CostRow } from '../../src/contract/schema/policy/costs.ts';
import {
  buildCostBars,
  listDays,
  pickCostTones,
  formatShortDollars,
} from '../../ui/statistics/costShapes.ts';
import { sumBarParts } from '../../ui/statistics/chartShapes.ts';

const test = suite('ui statistics: costs');

const MODELS = { others: 'other models', none: 'unknown model' };

const aRow = (keys: (string | null)[], usd: number | null): CostRow => ({
  keys,
  label: null,
  usd,
  unpriced: usd === null ? 1 : 0,
  calls: 1,
  estimated: 0,
  sessions: 1,
  ms: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  unreported: 0,
});

test('the most expensive models have tones of their own, the others share one', () => {
  const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((model, n) => aRow([model], 10 - n));
  assert.equal(
    pickCostTones({ rows }, MODELS).map(({ says }) => says),
    ['a', 'b', 'c', 'd', 'other models'],
  );
});

test('models that cost nothing, or whose price is not known, have no tone', () => {
  const rows = [aRow(['a'], 1), aRow(['free'], 0), aRow(['new'], null)];
  assert.equal(
    pickCostTones({ rows }, MODELS).map(({ says }) => says),
    ['a'],
  );
});

test('dollars beside an axis are short', () => {
  assert.equal([0, 0.0005, 0.02, 0.5, 0.25, 1, 1_250].map(formatShortDollars), [
    '$0',
    '0.05¢',
    '2¢',
    '$0.5',
    '$0.25',
    '$1',
    '$1.3K',
  ]);
});

test('each day has a bar, also one on which nothing was used', () => {
  assert.equal(listDays('2026-11-29', '2026-12-01'), ['2026-11-29', '2026-11-30', '2026-12-01']);
});

test('a bar has the dollars of its day by model, in millionths', () => {
  const models = ['a', 'b', 'c', 'd', 'e', 'f'];
  const tones = pickCostTones({ rows: models.map((model, n) => aRow([model], 10 - n)) }, MODELS);
  const rows = [
    aRow(['2026-11-29', 'a'], 1.25),
    aRow(['2026-11-29', 'e'], 0.5),
    aRow(['2026-11-29', 'f'], 0.25),
    aRow(['2026-11-29', 'new'], null),
  ];
  const [bar, next] = buildCostBars(['2026-11-29', '2026-11-30'], { rows }, tones, MODELS);
  assert.equal(
    bar?.parts.map(({ value }) => value),
    [1_250_000, 0, 0, 0, 750_000],
  );
  assert.is(next && sumBarParts(next), 0);
});

test('repositories are split as models are, and what has no name is named', () => {
  const words = { others: 'other repositories', none: 'no repository' };
  const rows = ['shop', null, 'web', 'api', 'docs'].map((slug, n) => aRow([slug], 10 - n));
  const tones = pickCostTones({ rows }, words);
  assert.equal(
    tones.map(({ says }) => says),
    ['shop', 'no repository', 'web', 'api', 'other repositories'],
  );
  const ofDay = [aRow(['2026-11-29', null], 2), aRow(['2026-11-29', 'docs'], 1)];
  const [bar] = buildCostBars(['2026-11-29'], { rows: ofDay }, tones, words);
  assert.equal(
    bar?.parts.map(({ value }) => value),
    [0, 2_000_000, 0, 0, 1_000_000],
  );
});

test.run();
