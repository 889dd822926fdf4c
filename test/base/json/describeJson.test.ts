import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeJson } from '../../../src/base/json/describeJson.ts';

const test = suite('a line of JSON in words');

for (const [line, expected] of [
  ['{"id":"greeting","duplicate":false}', 'id: greeting; duplicate: no'],
  ['{"items":[{"id":"a","title":"A"},{"id":"b"}],"next":null}', 'items: a, b; next: none'],
  ['{"rows":[[1],[2]],"of":{"x":1}}', 'rows: 2 entries; of: {…}'],
  ['{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7}', 'a: 1; b: 2; c: 3; d: 4; e: 5; f: 6; 1 more'],
  ['{"text":"first\\nsecond"}', 'text: first'],
  ['{}', null],
  ['[1, 2]', null],
  ['{ not JSON }', null],
  ['plain words', null],
] as const) {
  test(line, () => {
    assert.is(describeJson(line), expected);
  });
}

test('a long value is cut', () => {
  assert.is(describeJson(JSON.stringify({ text: 'x'.repeat(200) }))?.length, 86);
});

test.run();
