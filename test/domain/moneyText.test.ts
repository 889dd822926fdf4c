import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dollarText, moneyText } from '../../src/domain/moneyText.ts';

const test = suite('costs for people');

test('dollars have cents, and less than one has thousandths', () => {
  assert.equal([0, 0.0004, 0.0342, 1.234, 1200].map(dollarText), [
    '$0',
    '<$0.001',
    '$0.034',
    '$1.23',
    '$1200.00',
  ]);
});

test('what is not known is named', () => {
  assert.is(moneyText({ usd: null, unpriced: 2 }), 'unpriced');
  assert.is(moneyText({ usd: 1.2, unpriced: 2 }), '$1.20 + unpriced');
});

test('what is known to be nothing is $0', () => {
  assert.is(moneyText({ usd: 0, unpriced: 0 }), '$0');
});

test.run();
