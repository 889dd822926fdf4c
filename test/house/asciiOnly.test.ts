import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { asciiOnly } from '../../scripts/commonJs/asciiOnly.ts';

const test = suite('house: built files are ASCII');

test('a text of ASCII stays as it is', () => {
  assert.is(asciiOnly('a.js', "var a = 'b';\n"), "var a = 'b';\n");
});

test('comments and regular expressions are escaped, and match the same', () => {
  const text = asciiOnly('a.js', '// an actor’s state\nvar found = /^(?:👍|µ)$/;\n');
  assert.not.match(text, /[^\0-\x7f]/);
  const pattern = new Function(`${text} return found;`)();
  assert.equal(
    ['👍', 'µ', 'u'].map((one) => pattern.test(one)),
    [true, true, false],
  );
});

test('it refuses a place where an escape means something else', () => {
  assert.throws(() => asciiOnly('a.js', 'var a = String.raw`’`;\n'), /a\.js: esbuild left/);
  assert.throws(() => asciiOnly('a.js', 'var µ = 1;\n'), /a\.js: esbuild left/);
});

test.run();
