import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import fc from 'fast-check';
import { isTooDeep, findJsonFault } from '../../../../src/api/server/gates/jsonText.ts';

const test = suite('http jsonText');

const isAccepted = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('a fault is found exactly where JSON.parse refuses', () => {
  const json = fc.json({ maxDepth: 3 });
  const damaged = fc
    .tuple(json, fc.nat(), fc.constantFrom('', ',', '"', '}', '\n', '\u0000', '\\', '1', '\u0085'))
    .map(([text, at, what]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + what + text.slice(place + (what === '' ? 1 : 0));
    });
  fc.assert(
    fc.property(fc.oneof(json, damaged, fc.string()), (text) => {
      assert.is(findJsonFault(text) === null, isAccepted(text), text);
    }),
    { numRuns: 2000, seed: 7 },
  );
});

test('line and column count from one', () => {
  assert.equal(findJsonFault('{"a": 1,\n  "b": tru }'), {
    line: 2,
    column: 8,
    message: 'a value is expected here',
  });
  assert.equal(findJsonFault('[1 2]'), {
    line: 1,
    column: 4,
    message: '"," or the closing bracket is expected here',
  });
  assert.equal(findJsonFault('{} {}'), { line: 1, column: 4, message: 'the end is expected here' });
});

test('a text of the largest size is read without trouble', () => {
  const long = `{"a":"${'\\n'.repeat(400_000)}${'x'.repeat(200_000)}"`;
  assert.equal(
    findJsonFault(long)?.message,
    'the text ends where "," or the closing bracket is expected',
  );
  assert.is(isTooDeep(`${long}}`), false);
});

test('brackets that are nested too deep are a fault where the first of them is', () => {
  assert.equal(findJsonFault('['.repeat(1_000_000)), {
    line: 1,
    column: 65,
    message: 'more than 64 brackets are open',
  });
  assert.equal(findJsonFault(`${'['.repeat(64)}x`), {
    line: 1,
    column: 65,
    message: 'a value is expected here',
  });
});

test('brackets in strings are not nesting', () => {
  assert.is(isTooDeep(JSON.stringify({ a: '['.repeat(1000), b: '"\\"[[' })), false);
  assert.is(isTooDeep(`${'['.repeat(64)}${']'.repeat(64)}`), false);
  assert.is(isTooDeep(`${'['.repeat(65)}${']'.repeat(65)}`), true);
});

test.run();
