import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pickChangedParts, compareLines } from '../../ui/inbox/compareLines.ts';

const test = suite('dashboard: a plan compared with the one before');

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

const formatLineDiff = (before: string, after: string) =>
  compareLines(before, after)?.map(({ kind, text }) => `${SIGNS[kind]}${text}`);

test('lines that were added, removed and replaced are found, the others stay', () => {
  assert.equal(formatLineDiff('a\nb\nc', 'a\nx\nc\nd'), [' a', '-b', '+x', ' c', '+d']);
  assert.equal(formatLineDiff('a', 'a'), [' a']);
  assert.equal(formatLineDiff('', 'a'), ['-', '+a']);
  assert.equal(formatLineDiff('b\na\nb', 'a\nb\na'), ['-b', ' a', ' b', '+a']);
});

test('what is read of both sides is each text again, for every pair of short texts', () => {
  const texts = ['', 'a', 'b', 'a\nb', 'b\na', 'a\na\nb', 'b\na\nb\nb', 'c\na\nc', 'a\nb\nc\nd'];
  for (const before of texts)
    for (const after of texts) {
      const lines = compareLines(before, after) ?? [];
      const side = (excludedKind: string) =>
        lines.flatMap(({ kind, text }) => (kind === excludedKind ? [] : [text])).join('\n');
      assert.is(side('added'), before);
      assert.is(side('removed'), after);
    }
});

test('two texts with nothing in common are not compared line by line', () => {
  const text = (word: string) =>
    Array.from({ length: 600 }, (_, index) => `${word} ${index}`).join('\n');
  assert.is(compareLines(text('a'), text('b')), null);
  assert.is(compareLines(text('a'), `${text('a')}\nmore`)?.length, 601);
});

test('only what is near a change is shown, and how much is left out', () => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');
  const parts = pickChangedParts(compareLines(before, before.replace('line 10', 'other')) ?? []);
  assert.equal(
    parts.map((part) =>
      part.kind === 'left out' ? part.lines : `${SIGNS[part.kind]}${part.text}`,
    ),
    [
      7,
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+other',
      ' line 11',
      ' line 12',
      ' line 13',
      6,
    ],
  );
  assert.equal(pickChangedParts(compareLines(before, before) ?? []), []);
});

test.run();
