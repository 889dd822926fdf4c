import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  BlockSplitter,
  splitBlocks,
  type AnswerPiece,
} from '../../../src/base/agents/hiddenBlocks.ts';
import { MAX_FINDINGS_CHARS } from '../../../src/base/limits/intakeLimits.ts';

const test = suite('hidden blocks of an answer');

/** Pieces, with neighbours of one kind joined: how they are cut says nothing. */
const joinPieces = (pieces: readonly AnswerPiece[]): AnswerPiece[] => {
  const out: AnswerPiece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text') last.text += piece.text;
    else if (piece.kind === 'body' && last?.kind === 'body') last.text += piece.text;
    else out.push({ ...piece });
  }
  return out;
};
const split = (chunks: readonly string[]): AnswerPiece[] => {
  const splitter = new BlockSplitter();
  const pieces = chunks.flatMap((chunk) => splitter.push(chunk));
  return joinPieces([...pieces, ...splitter.end()]);
};
const whole = (text: string): string => JSON.stringify(split([text]));
const visible = (text: string): string => splitBlocks(text).visible;

/** The text cut before every character whose bit is set. */
const cutBy = (text: string, bits: number): string[] => {
  const chunks: string[] = [];
  let start = 0;
  for (let at = 1; at <= text.length; at += 1) {
    if (at < text.length && (bits >> (at - 1)) % 2 === 0) continue;
    chunks.push(text.slice(start, at));
    start = at;
  }
  return chunks;
};

/** Numbers below `below` from a seed; the same ones in every run. */
const numbersFrom = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const LONG = [
  'Reading `src/a.ts:12`; `<findings>` is a tag, <run> in a line is not.\r\n',
  '```md\n<findings>\nin a fence\n</findings>\n```\n',
  '~~~~\n~~~\n<run>{}</run>\n~~~~\n',
  ' <readiness>{"state":"investigating","openQuestions":["a"],"note":"😀"}</readiness>\r\n',
  '- ```\n  <run>\n  ```\n    <run>\n',
  '<findings>\r\n# What 😀\n`</findings>` and\n```\n</findings>\n```\n<run>{}</run>\nend</findings>\n',
  '<RUN>\n```json\n{"description":"x"}\n```\n</Run><readiness/><readiness >\n',
  '<readiness>{"state":"ready"}</readiness>after\n<findings a="b">\n</findings>\n\n<find',
].join('');

test('a text in 8,192 and more chunkings: whatever the chunks, the pieces are the same', () => {
  for (const text of [
    '\n<run>a</run>\nb',
    '<run>\r\n</run>',
    '<run></run>\r\r\nx',
    '  <run>`</run>',
    '```\n<run>\n```\n<',
    '😀\n<run>😀</ru',
    '\uFEFF<run>a</run>',
  ]) {
    const expected = whole(text);
    for (let bits = 0; bits < 2 ** (text.length - 1); bits += 1)
      if (JSON.stringify(split(cutBy(text, bits))) !== expected)
        assert.is(JSON.stringify(split(cutBy(text, bits))), expected, `${text} by ${bits}`);
  }
});

test('20,000 random chunkings of a long text give the same pieces', () => {
  const expected = whole(LONG);
  const random = numbersFrom(20);
  let wrong = 0;
  for (let n = 0; n < 20_000; n += 1) {
    const chunks: string[] = [];
    const longest = 1 + random(40);
    for (let at = 0; at < LONG.length; ) {
      const size = 1 + random(longest);
      chunks.push(LONG.slice(at, at + size));
      at += size;
    }
    if (JSON.stringify(split(chunks)) !== expected) wrong += 1;
  }
  assert.is(wrong, 0);
});

test('no more is held back than what may become a tag: 13 characters', () => {
  const splitter = new BlockSplitter();
  let releasedLength = 0;
  let most = 0;
  const text = `${LONG}\n   <readiness>{}</readiness>\n`;
  for (let at = 0; at < text.length; at += 1) {
    if (splitter.push(text.charAt(at)).length > 0) releasedLength = at + 1;
    most = Math.max(most, at + 1 - releasedLength);
  }
  assert.is(most, 13);
});

test('text and blocks come in the order of the answer', () => {
  assert.equal(split(['Hello\n<run>\n{"a":1}\n</run>\nbye']), [
    { kind: 'text', text: 'Hello\n' },
    { kind: 'open', tag: 'run' },
    { kind: 'body', tag: 'run', text: '{"a":1}\n' },
    { kind: 'close', tag: 'run', body: '{"a":1}\n', closed: true, cut: false },
    { kind: 'text', text: 'bye' },
  ]);
});

test('a tag in inline code is text', () => {
  assert.is(visible('`<findings>` is a tag'), '`<findings>` is a tag');
});

test('a tag in a fence is text', () => {
  const text = '```\n<run>\n</run>\n```\n';
  assert.is(visible(text), text);
});

test('a longer fence is not closed by a shorter one', () => {
  const text = '````\n```\n<run>{}</run>\n````\n';
  assert.is(visible(text), text);
});

test('a tag in a fence that is never closed is text', () => {
  const text = '~~~\n<run>{}</run>\n';
  assert.is(visible(text), text);
});

test('after a fence is closed, tags count again', () => {
  assert.is(splitBlocks('```ts\nx\n```\n<run>{}</run>').run, '{}');
});

test('three backticks within a line are inline code and no fence', () => {
  assert.is(splitBlocks('```a``` is code\n<run>{}</run>').run, '{}');
});

test('a tag in a fence of a list is text', () => {
  const text = '- ```\n  <run>\n  ```\n';
  assert.is(visible(text), text);
});

test('a tag after text in its line is text', () => {
  assert.is(visible('see <run>{}</run>'), 'see <run>{}</run>');
});

test('a tag after up to three spaces counts', () => {
  assert.is(splitBlocks('   <run>{}</run>').run, '{}');
});

test('a tag after four spaces is text', () => {
  assert.is(visible('    <run>{}</run>'), '    <run>{}</run>');
});

test('line ends of Windows after tags belong to the tags', () => {
  assert.is(visible('a\r\n<run>\r\n{}\r\n</run>\r\nb'), 'a\r\nb');
});

test('findings keep a closing tag in a fence of theirs', () => {
  assert.is(
    splitBlocks('<findings>\n```\n</findings>\n```\nx\n</findings>').findings,
    '```\n</findings>\n```\nx\n',
  );
});

test('findings keep a closing tag in inline code', () => {
  assert.is(splitBlocks('<findings>`</findings>` ends</findings>').findings, '`</findings>` ends');
});

test('another block in findings is text of theirs', () => {
  const { run, findings } = splitBlocks('<findings>\n<run>{}</run>\n</findings>');
  assert.is(findings, '<run>{}</run>\n');
  assert.is(run, null);
});

test('a block that is open at the end is not closed', () => {
  assert.equal(split(['<findings>\nhalf']).at(-1), {
    kind: 'close',
    tag: 'findings',
    body: 'half',
    closed: false,
    cut: false,
  });
});

test('a block that is open at the end does not replace a closed one', () => {
  assert.is(splitBlocks('<findings>old</findings>\n<findings>ne').findings, 'old');
});

test('a tag that is cut off at the end is text', () => {
  assert.is(visible('a\n<readi'), 'a\n<readi');
});

test('a tag that closes itself is text', () => {
  assert.is(visible('<readiness/>'), '<readiness/>');
});

test('tags in upper case count', () => {
  assert.is(splitBlocks('<READINESS>{}</Readiness>').readiness, '{}');
});

test('a tag with an attribute is text', () => {
  assert.is(visible('<findings lang="md">\n'), '<findings lang="md">\n');
});

test('of two of a kind the last one counts', () => {
  assert.is(splitBlocks('<run>1</run>\n<run>2</run>').run, '2');
});

test('blocks may follow each other in a line', () => {
  const { readiness, run } = splitBlocks('<run>1</run><readiness>2</readiness>');
  assert.is(run, '1');
  assert.is(readiness, '2');
});

test('an empty block says nothing', () => {
  assert.is(splitBlocks('<findings>a</findings>\n<findings>\n</findings>').findings, 'a');
});

test('text after the last block is visible', () => {
  assert.is(visible('<run>{}</run>\n\nDone.'), '\nDone.');
});

test('a mark of the byte order at the start is no text', () => {
  assert.is(splitBlocks('\uFEFF<run>{}</run>').run, '{}');
});

test('a body of 1 MB is cut and marked, and the tag still closes it', () => {
  const last = split([`<findings>${'x'.repeat(2 ** 20)}</findings>`]).at(-1);
  assert.is(last?.kind === 'close' && last.body.length, MAX_FINDINGS_CHARS);
  assert.is(last?.kind === 'close' && last.cut, true);
  assert.is(last?.kind === 'close' && last.closed, true);
});

test('a body is not cut within a character', () => {
  const text = `<findings>${'x'.repeat(MAX_FINDINGS_CHARS - 1)}😀</findings>`;
  const at = text.indexOf('😀') + 1;
  for (const chunks of [[text], [text.slice(0, at), text.slice(at)]]) {
    const last = split(chunks).at(-1);
    assert.is(last?.kind === 'close' && last.body.length, MAX_FINDINGS_CHARS - 1);
    assert.is(last?.kind === 'close' && last.cut, true);
  }
});

test('a fence in a line of any length is found, however the line is cut', () => {
  const text = `\`\`\`${'x'.repeat(3_000)}\n<run>{}</run>\n`;
  assert.is(JSON.stringify(split(text.split(''))), whole(text));
  assert.is(visible(text), text);
});

test.run();
