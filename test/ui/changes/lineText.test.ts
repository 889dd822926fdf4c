import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { detectLanguage } from '../../../ui/jobs/changes/code/languages.ts';
import { splitLinePieces } from '../../../ui/jobs/changes/code/splitLinePieces.ts';
import { parseLineTokens } from '../../../ui/jobs/changes/code/tokens.ts';
import {
  hasHiddenCharacters,
  nameHiddenCharacters,
} from '../../../ui/jobs/changes/diff/hiddenCharacters.ts';
import { markChangedWords } from '../../../ui/jobs/changes/diff/markChangedWords.ts';
import { HIDDEN_TEXTS } from '../../support/hiddenTexts.ts';

const test = suite('dashboard: lines of a diff');

const formatMarks = (before: string, after: string) => {
  const marks = markChangedWords(before, after);
  const cut = (text: string, ranges: { from: number; to: number }[]) =>
    ranges.map(({ from, to }) => text.slice(from, to));
  return { before: cut(before, marks.before), after: cut(after, marks.after) };
};

test('the words that differ are marked, and no others', () => {
  assert.equal(formatMarks('const a = read(x);', 'const a = write(x, y);'), {
    before: ['read'],
    after: ['write', ', y'],
  });
  assert.equal(formatMarks('return old value here', 'return new thing here'), {
    before: ['old value'],
    after: ['new thing'],
  });
});

test('lines that have little in common, or are very long, get no marks', () => {
  assert.equal(formatMarks('import a from "b"', 'while (true) {}'), { before: [], after: [] });
  assert.equal(formatMarks(`${'a '.repeat(600)}b`, `${'a '.repeat(600)}c`), {
    before: [],
    after: [],
  });
});

test('every control that changes the order of text is shown by its name (Trojan Source)', () => {
  const CONTROLS = [0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e];
  const ISOLATES = [0x2066, 0x2067, 0x2068, 0x2069];
  for (const code of CONTROLS.concat(ISOLATES))
    assert.is(
      nameHiddenCharacters(`a${String.fromCodePoint(code)}b`),
      `a[U+${code.toString(16).toUpperCase().padStart(4, '0')}]b`,
    );
});

test('no text of those that hide something passes without a name', () => {
  // Lines that only imitate headings hide no character.
  const hiding = HIDDEN_TEXTS.filter((text) => /[^\n\x20-\x7E]/.test(text));
  assert.ok(hiding.length > 5);
  assert.equal(
    hiding.filter((text) => !hasHiddenCharacters(text)),
    [],
  );
  assert.equal(
    hiding.filter((text) =>
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(nameHiddenCharacters(text).replaceAll('\n', '')),
    ),
    [],
  );
});

test('emoji, accents and other scripts are text, not something hidden', () => {
  for (const text of ['👩‍👩‍👧 family', '👍🏽', '❤️', 'naïve', 'שלום', '日本語', 'tab\there'])
    assert.is(nameHiddenCharacters(text), text);
});

test('colours, marks and names of hidden characters cut a line without losing any of it', () => {
  const text = 'let x = "a\u202Eb";';
  const pieces = splitLinePieces({
    text,
    tokens: [
      { from: 0, to: 3, kind: 'keyword' },
      { from: 8, to: 13, kind: 'string' },
    ],
    marks: [{ from: 4, to: 10 }],
  });
  assert.equal(
    pieces.map(({ text }) => text),
    ['let', ' ', 'x = ', '"a', 'U+202E', 'b"', ';'],
  );
  assert.equal(
    pieces.filter(({ marked: is }) => is).map(({ text }) => text),
    ['x = ', '"a'],
  );
  assert.equal(
    pieces.filter(({ hidden }) => hidden).map(({ kind }) => kind),
    ['string'],
  );
});

test('tokens are read from the answer of the highlighter line by line, escapes as one character', () => {
  assert.equal(
    parseLineTokens(
      '<span class="hljs-keyword">if</span> (a &lt; <span class="hljs-string">&quot;x\ny&quot;</span>)',
    ),
    [
      [
        { from: 0, to: 2, kind: 'keyword' },
        { from: 8, to: 10, kind: 'string' },
      ],
      [{ from: 0, to: 2, kind: 'string' }],
    ],
  );
});

test('the language is known by the name of a file', () => {
  assert.is(detectLanguage('a/b.tsx'), 'typescript');
  assert.is(detectLanguage('Dockerfile'), 'dockerfile');
  assert.is(detectLanguage('ts'), null);
  assert.is(detectLanguage('x.unknown'), null);
});

test.run();
