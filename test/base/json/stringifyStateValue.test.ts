import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  stringifyStatePath,
  stringifyStateValue,
} from '../../../src/base/json/stringifyStateValue.ts';

const test = suite('JSON of states');

const VALUES = [
  'parked',
  { parked: 'event' },
  { working: { first: 'open', second: { deep: 'closed' } } },
  { 'a "quoted" name': 'a\\backslash and \u2028' },
  { working: undefined, parked: 'paused' },
  {},
];

test('a state value has the text that JSON.stringify gives', () => {
  for (const value of VALUES)
    for (const _ of ['written', 'kept'])
      assert.is(stringifyStateValue(value), JSON.stringify(value));
});

test('a path has the text that JSON.stringify gives', () => {
  for (const path of [[], ['parked.event'], ['queued', 'a "quoted" name']])
    assert.is(stringifyStatePath(path), JSON.stringify(path));
});

test.run();
