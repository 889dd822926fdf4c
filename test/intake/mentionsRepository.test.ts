import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mentionsRepository } from '../../src/intake/createPinScope.ts';

const test = suite('whether a developer has named a repository');

for (const text of [
  'acme/shop',
  'Look at Acme/Shop.',
  'the cart of `acme/shop`, please',
  '(acme/shop)',
  'Repository: acme/shop',
  'acme/shop#12',
  'acme/shop: the cart',
  'https://github.com/acme/shop',
  'https://github.com/acme/shop/pull/3',
  'https://git.example.com:8443/acme/shop.git',
  'git@github.com:acme/shop.git',
  'github.com/acme/shop',
])
  test(`named: ${text}`, () => {
    assert.ok(mentionsRepository(text, 'acme/shop'));
  });

for (const text of [
  'src/acme/shop.ts',
  'acme/shop.ts',
  'acme/shop/index.ts',
  'src/acme/shop',
  'acme/shopping',
  'big-acme/shop',
  'acme/shop-old',
  'acme shop',
])
  test(`not named: ${text}`, () => {
    assert.not(mentionsRepository(text, 'acme/shop'));
  });

test('a slug is no pattern', () => {
  assert.not(mentionsRepository('acmeXshop', 'acme.shop'));
});

test.run();
