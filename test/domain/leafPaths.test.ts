import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { firstNames, leafPaths } from '../../src/domain/leafPaths.ts';

const VALUES = [
  'queued',
  { working: 'preparing' },
  { working: { inSession: 'waiting' } },
  { left: 'a', right: { inner: 'b' } },
  { ended: {} },
];

test('each leaf is a dotted path, one for each region', () => {
  assert.equal(VALUES.map(leafPaths), [
    ['queued'],
    ['working.preparing'],
    ['working.inSession.waiting'],
    ['left.a', 'right.inner.b'],
    ['ended'],
  ]);
});

test('the first names are those with which the first path begins', () => {
  for (const value of VALUES) {
    const [top, below] = (leafPaths(value)[0] ?? '').split('.');
    assert.equal(firstNames(value), [top, below], JSON.stringify(value));
  }
});

test('what is no state value has no names', () => {
  assert.equal(firstNames(null), [undefined, undefined]);
});

test.run();
