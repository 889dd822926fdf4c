import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseStrictJson } from '../../../src/policy/decisions/reply/parseStrictJson.ts';

const test = suite('JSON without repeated keys');

const refusal = (text: string): string => {
  try {
    return `taken: ${JSON.stringify(parseStrictJson(text))}`;
  } catch (error) {
    return String(error);
  }
};

test('a value is its value', () =>
  assert.equal(parseStrictJson('{"a":[1,{"b":2}]}'), { a: [1, { b: 2 }] }));
test('a repeated key is refused', () => assert.match(refusal('{"a":1,"a":1}'), /"a" occurs twice/));
test('a repeated key deep inside is refused', () =>
  assert.match(refusal('{"a":[{"b":1},{"c":{"d":1,"d":2}}]}'), /"d" occurs twice/));
test('the same key in two objects is no repetition', () =>
  assert.equal(parseStrictJson('[{"a":1},{"a":2}]'), [{ a: 1 }, { a: 2 }]));
test('a key that is written in another way is the same key', () =>
  assert.match(refusal('{"a":1,"\\u0061":2}'), /"a" occurs twice/));
test('a comment is refused', () => assert.match(refusal('{"a":1 /* b */}'), /JSON/));
test('half a value is refused', () => assert.match(refusal('{"a":'), /JSON/));

test.run();
