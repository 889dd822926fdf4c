import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  escapePath,
  parseShownPath,
  showPath,
  showQuoted,
} from '../../../src/base/text/pathNames.ts';

const test = suite('names of files as text');

const latin = (text: string) => Buffer.from(text, 'latin1');

test('UTF-8 is shown as it is, all else in quotes as git writes it, and each form leads back to its bytes', () => {
  for (const [bytes, text] of [
    [latin('a b.txt'), 'a b.txt'],
    [Buffer.from('grüße 😀'), 'grüße 😀'],
    [latin('back\\slash'), 'back\\slash'],
    [latin('a"b'), 'a"b'],
    [latin('caf\xe9'), '"caf\\351"'],
    [latin('new\nline\t'), '"new\\nline\\t"'],
    [latin('"quoted"'), '"\\"quoted\\""'],
    [latin('\x1b[31m'), '"\\033[31m"'],
    [Buffer.from('é\n'), '"\\303\\251\\n"'],
  ] as const) {
    assert.is(showPath(bytes), text);
    assert.equal(Buffer.from(parseShownPath(text)), Buffer.from(bytes));
  }
});

test('quotes with a broken escape are part of the name', () => {
  for (const name of ['"a\\q"', '"a"b"', '"', '"a'])
    assert.is(Buffer.from(parseShownPath(name)).toString(), name);
});

test('a diff quotes more names than svc does', () => {
  assert.is(showQuoted('"gr\\303\\274n"'), 'grün');
  assert.is(showQuoted('"caf\\351"'), '"caf\\351"');
});

test('rules get the name without quotes: it begins and ends as the path does', () => {
  assert.is(escapePath(latin('.github/workflows/\xe9.yml')), '.github/workflows/\\351.yml');
});

test.run();
