import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  formatDollars,
  formatCost,
  explainUnpriced,
} from '../../../src/base/spending/formatCost.ts';

const test = suite('costs for people');

test('dollars have cents, and less than one has thousandths', () => {
  assert.equal([0, 0.0004, 0.0342, 1.234, 1200].map(formatDollars), [
    '$0',
    '<$0.001',
    '$0.034',
    '$1.23',
    '$1200.00',
  ]);
});

test('what is not known is named', () => {
  assert.is(formatCost({ usd: null, unpriced: 2 }), 'unpriced');
  assert.is(formatCost({ usd: 1.2, unpriced: 2 }), '$1.20 + unpriced');
});

test('what is known to be nothing is $0', () => {
  assert.is(formatCost({ usd: 0, unpriced: 0 }), '$0');
});

test('a sum is complete, or says how many calls have no price, or how many sessions have reported nothing', () => {
  assert.is(explainUnpriced({ unpriced: 0, unreported: 0 }, '2026-09-23'), null);
  assert.match(
    explainUnpriced({ unpriced: 1, unreported: 0 }, '2026-09-23') ?? '',
    /^1 call has no known/,
  );
  assert.match(
    explainUnpriced({ unpriced: 6, unreported: 6 }, '2026-09-23') ?? '',
    /^6 sessions have rep/,
  );
});

test('calls without a price and sessions without a report are counted apart', () => {
  assert.is(
    explainUnpriced({ unpriced: 3, unreported: 1 }, '2026-09-23'),
    '2 calls have no known price (prices of 2026-09-23): set budgets.prices for their model. 1 session has reported no tokens: what it has used and cost is not known.',
  );
});

test.run();
