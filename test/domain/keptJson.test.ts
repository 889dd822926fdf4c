import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keptJson } from '../../src/domain/keptJson.ts';

const test = suite('JSON of contexts');

/** Plain data, with members that JSON leaves out. */
const contexts = fc.dictionary(
  fc.string(),
  fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.double(), fc.object({ withDate: true })),
);

test('the text is the one that JSON.stringify gives', () => {
  fc.assert(
    fc.property(contexts, (context) => assert.is(keptJson(context), JSON.stringify(context))),
  );
});

test('also where members were written before, in other objects and under other names', () => {
  fc.assert(
    fc.property(contexts, contexts, fc.string(), (before, changes, name) => {
      keptJson(before);
      const after = { ...before, ...changes, [name]: Object.values(before)[0] };
      assert.is(keptJson(after), JSON.stringify(after));
    }),
  );
});

test('members that were written before are not read again', () => {
  let reads = 0;
  const items = {
    get first() {
      reads += 1;
      return 'a';
    },
  };
  keptJson({ n: 1, items });
  keptJson({ n: 2, items });
  assert.is(reads, 1);
});

test('what JSON cannot hold is refused, as JSON.stringify does', () => {
  assert.throws(() => keptJson({ n: 1n }), /BigInt/);
});

test.run();
