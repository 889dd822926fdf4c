import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { formatExcerpt } from '../../cli/render/workflow/formatExcerpt.ts';

const test = suite('the line of a finding with a caret');

/** The caret's column on a terminal, counted from 0, after the gutter. */
const findCaret = (text: string): number => (text.split('\n')[1] ?? '').indexOf('^') - 6;

test('the line with its number, and a caret below the place (CLI-6)', () => {
  assert.is(
    formatExcerpt('a\nphases: x\n', { line: 2, column: 9 }),
    '  2 | phases: x\n    |         ^\n',
  );
});

test('a tab leads to the next stop of four, in the line and before the caret', () => {
  assert.is(formatExcerpt('\tab\tc', { line: 1, column: 5 }), '  1 |     ab  c\n    |         ^\n');
});

test('wide characters take two columns, combining ones and emoji sequences as terminals show them', () => {
  assert.is(findCaret(formatExcerpt('日本 x', { line: 1, column: 4 })), 5);
  assert.is(findCaret(formatExcerpt('e\u0301 x', { line: 1, column: 4 })), 2);
  assert.is(findCaret(formatExcerpt('🙂 x', { line: 1, column: 4 })), 3);
});

test('what could move the cursor is taken out', () => {
  assert.is(formatExcerpt('a\u001b[31mb', { line: 1, column: 7 }).includes('\u001b'), false);
});

test('a long line is cut around the place, to the width of the terminal', () => {
  const line = `${'a'.repeat(500)}X${'b'.repeat(500)}`;
  const [excerpt = '', caret = ''] = formatExcerpt(line, { line: 1, column: 501 }, 60).split('\n');
  assert.ok(excerpt.length <= 60, `${excerpt.length} columns`);
  assert.is(excerpt[caret.indexOf('^')], 'X');
  assert.match(excerpt, /^ {2}1 \| …a+Xb+…$/);
  const [start = ''] = formatExcerpt(line, { line: 1, column: 1 }, 60).split('\n');
  assert.match(start, /^ {2}1 \| a+…$/);
});

test('of a line of a megabyte only what is near the place is measured', () => {
  const line = `${'a'.repeat(500_000)}X${'\0'.repeat(500_000)}`;
  const before = process.cpuUsage();
  const [excerpt = '', caret = ''] = formatExcerpt(line, { line: 1, column: 500_001 }, 60).split(
    '\n',
  );
  assert.is(excerpt[caret.indexOf('^')], 'X');
  assert.ok(process.cpuUsage(before).user < 2_000_000, 'it takes milliseconds');
});

test('a place behind the end of the line, and a line that is not there', () => {
  assert.is(formatExcerpt('ab', { line: 1, column: 3 }), '  1 | ab\n    |   ^\n');
  assert.is(formatExcerpt('', { line: 4, column: 1 }), '  4 | \n    | ^\n');
});

test.run();
