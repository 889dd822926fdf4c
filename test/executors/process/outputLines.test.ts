import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_LINE_BYTES, OutputLines } from '../../../src/executors/process/outputLines.ts';

const test = suite('executor output lines');

const readLines = (...chunks: (string | Buffer)[]): string[] => read({}, chunks);
const read = (options: { colours?: boolean }, chunks: (string | Buffer)[]): string[] => {
  const lines: string[] = [];
  const output = new OutputLines((line) => lines.push(line), options);
  for (const chunk of chunks) output.push(Buffer.from(chunk));
  output.end();
  return lines;
};

test('lines are put together across chunks, characters too', () => {
  const umlaut = Buffer.from('ä');
  assert.equal(readLines('a', 'b\nc', '\n\nd'), ['ab', 'c', '', 'd']);
  assert.equal(readLines(umlaut.subarray(0, 1), umlaut.subarray(1), '\n'), ['ä']);
});

test('a line over 8 KiB is cut with a mark, and the next line is not', () => {
  const [cut, next] = readLines('x'.repeat(MAX_LINE_BYTES), 'y'.repeat(100_000), '\nnext\n');
  assert.is(cut, `${'x'.repeat(MAX_LINE_BYTES)} … [line cut]`);
  assert.is(next, 'next');
  assert.equal(readLines('x'.repeat(MAX_LINE_BYTES), '\n'), ['x'.repeat(MAX_LINE_BYTES)]);
});

test('a character that the cut goes through is left out', () => {
  const [cut] = readLines(`${'x'.repeat(MAX_LINE_BYTES - 1)}ä\n`);
  assert.is(cut, `${'x'.repeat(MAX_LINE_BYTES - 1)} … [line cut]`);
});

test('escapes, bells and what a carriage return overwrites are taken out; tabs stay', () => {
  assert.equal(
    readLines('\u001b[1;32mok\u001b[0m\u0007\tdone\r\n', '10%\r20%\r\n', '\u001b]0;title\u0007x\n'),
    ['ok\tdone', '20%', 'x'],
  );
});

test('with colours the sequences that set them stay, and nothing else does (UI-1)', () => {
  const pieces = [
    '\u001b[1;32mok\u001b[0m\u0007\n',
    'forged\u001b[2K\u001b[1A\u001b[31mred\u001b[m\n',
    '10%\r\u001b[32m20%\u001b[0m\r\u001b[K\n',
    '\u001b]0;\u001b[31mtitle\u0007x\u001b[38;5;196my\n',
  ];
  assert.equal(read({ colours: true }, pieces), [
    '\u001b[1;32mok\u001b[0m',
    'forged\u001b[31mred\u001b[m',
    '\u001b[32m20%\u001b[0m',
    ';\u001b[31mtitlex\u001b[38;5;196my',
  ]);
});

test.run();
