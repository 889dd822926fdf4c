import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clip, shorten } from '../../../src/base/text/clip.ts';

const test = suite('texts that are cut');

test('a shortened text has at most so many characters, the ellipsis included', () => {
  assert.is(shorten('abcdef', 6), 'abcdef');
  assert.is(shorten('abcdefg', 6), 'abcde…');
});

test('a clipped text keeps so many characters and says how many were left out', () => {
  assert.is(clip('abcdef', 6), 'abcdef');
  assert.is(clip('abcdefghi', 6), 'abcdef… (3 more characters)');
});

test('what ends a clipped text can be given', () => {
  assert.is(
    clip('abcdefghi', 6, (count) => ` [${count}]`),
    'abcdef [3]',
  );
});

test.run();
