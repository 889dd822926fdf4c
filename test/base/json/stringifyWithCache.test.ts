import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stringifyWithCache } from '../../../src/base/json/stringifyWithCache.ts';

const test = suite('JSON of contexts');

/** Plain data, with members that JSON leaves out. */
const contexts = fc.dictionary(
  fc.string(),
  fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.double(), fc.object({ withDate: true })),
);

test('the text is the one that JSON.stringify gives', () => {
  fc.assert(
    fc.property(contexts, (context) =>
      assert.is(stringifyWithCache(context), JSON.stringify(context)),
    ),
  );
});

test('also where members were written before, in other objects and under other names', () => {
  fc.assert(
    fc.property(contexts, contexts, fc.string(), (before, changes, name) => {
      stringifyWithCache(before);
      const after = { ...before, ...changes, [name]: Object.values(before)[0] };
      assert.is(stringifyWithCache(after), JSON.stringify(after));
    }),
  );
});

/** An object whose text has so many characters, and how often it was read. */
function createCounted(chars: number) {
  const seen = { reads: 0 };
  const object = {
    get text() {
      seen.reads += 1;
      return 'x'.repeat(chars);
    },
  };
  return { object, seen };
}

test('large members are read once', () => {
  const { object, seen } = createCounted(5_000);
  for (const n of [1, 2, 3, 4]) stringifyWithCache({ n, object });
  assert.is(seen.reads, 1);
});

test('a small member is written again each time', () => {
  const { object, seen } = createCounted(50);
  for (const n of [1, 2, 3]) stringifyWithCache({ n, object });
  assert.is(seen.reads, 3);
});

test('small and large members have one text together', () => {
  const large = { list: Array.from({ length: 900 }, (_, n) => `item ${n}`) };
  const before = { n: 1, small: { a: [] }, large, left: undefined, none: null };
  assert.is(stringifyWithCache(before), JSON.stringify(before));
  const after = { ...before, n: 2, small: { a: [1] } };
  assert.is(stringifyWithCache(after), JSON.stringify(after));
});

test('what JSON cannot hold is refused, as JSON.stringify does', () => {
  assert.throws(() => stringifyWithCache({ n: 1n }), /BigInt/);
});

test.run();
