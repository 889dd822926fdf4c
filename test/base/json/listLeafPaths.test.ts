import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readFirstNames, listLeafPaths } from '../../../src/base/json/listLeafPaths.ts';

const VALUES = [
  'queued',
  { working: 'preparing' },
  { working: { inSession: 'waiting' } },
  { left: 'a', right: { inner: 'b' } },
  { ended: {} },
];

test('each leaf is a dotted path, one for each region', () => {
  assert.equal(VALUES.map(listLeafPaths), [
    ['queued'],
    ['working.preparing'],
    ['working.inSession.waiting'],
    ['left.a', 'right.inner.b'],
    ['ended'],
  ]);
});

test('the first names are those with which the first path begins', () => {
  for (const value of VALUES) {
    const [top, below] = (listLeafPaths(value)[0] ?? '').split('.');
    assert.equal(readFirstNames(value), [top, below], JSON.stringify(value));
  }
});

test('what is no state value has no names', () => {
  assert.equal(readFirstNames(null), [undefined, undefined]);
});

test.run();
