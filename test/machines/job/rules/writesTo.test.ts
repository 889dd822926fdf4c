import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  MAX_WRITES_TO,
  parseWritesTo,
  WRITES_TO_FORM,
  parseWritesToEntries,
  findWritesToProblems,
} from '../../../../src/contract/schema/forge/parseWritesTo.ts';

const test = suite('writesTo');

const entry = (provider: string, name: string, number: number | null = null) => ({
  provider,
  name,
  number,
});

for (const [text, expected] of [
  ['github:acme/shop#7', entry('github', 'acme/shop', 7)],
  ['gitlab:group/sub/shop!7', entry('gitlab', 'group/sub/shop', 7)],
  ['github-issues:acme/shop#12', entry('github-issues', 'acme/shop', 12)],
  ['local:other', entry('local', 'other')],
  ['github:acme/shop.js', entry('github', 'acme/shop.js')],
  ['jira:SHOP-12', entry('jira', 'SHOP-12')],
] as const) {
  test(`${text} is read as provider, name and number`, () => {
    assert.equal(parseWritesTo(text), expected);
  });
}

for (const text of [
  '',
  'shop',
  'github:',
  ':acme/shop',
  'github:*',
  'github:acme/*',
  'github:acme/shop#0',
  'github:acme/shop#x',
  'GitHub:acme/shop',
  'github:acme//shop',
  'github:../shop',
  'github:acme/..',
  ' github:acme/shop',
  'github:acme/shop#7 ',
  'github:acme/shop#7#8',
  `github:${'a'.repeat(300)}`,
  'https://github.com/acme/shop/pull/7',
  'local:a\nb',
]) {
  test(`${JSON.stringify(text.slice(0, 40))} is refused`, () => {
    assert.is(parseWritesTo(text), null);
  });
}

test('each wrong entry is reported with its place in the list', () => {
  assert.equal(findWritesToProblems(['local:shop', 'shop', 7]), [
    { index: 1, message: WRITES_TO_FORM },
    { index: 2, message: WRITES_TO_FORM },
  ]);
  assert.equal(findWritesToProblems('local:shop'), [
    { index: null, message: 'must be a list, for example ["github:acme/shop#7"]' },
  ]);
});

test('a list is bounded', () => {
  const list = Array.from({ length: MAX_WRITES_TO + 1 }, (_, n) => `local:r${n}`);
  assert.equal(findWritesToProblems(list), [
    { index: null, message: 'has 51 entries; at most 50' },
  ]);
  assert.is(parseWritesToEntries(list).length, MAX_WRITES_TO);
});

test('what is no list grants nothing', () => {
  assert.equal(parseWritesToEntries('local:shop'), []);
  assert.equal(parseWritesToEntries(undefined), []);
});

test.run();
