import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findCitations } from '../../../ui/plan/answer/findCitations.ts';
import {
  listAnswerBlocks,
  takeFirstBlocks,
  findOpenFence,
  splitSettledBlocks,
} from '../../../ui/plan/answer/growingText.ts';
import { parseCitationPlace } from '../../../ui/plan/PinnedFile.tsx';

const test = suite('an answer while it is written');

const TEXT = [
  '# What\n\nSome *words* of\na paragraph.\n\n',
  '- one\n- two\n\n  still two\n- three\n\n',
  '```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n\n',
  '> a quote\n> of two lines\n\nThe end.',
].join('');

const refs = (text: string): string[] => findCitations(text).map(({ ref }) => ref);

test('settled blocks and the rest are the whole text, at each of its lengths', () => {
  for (let length = 0; length <= TEXT.length; length += 1) {
    const text = TEXT.slice(0, length);
    const { blocks, tail } = splitSettledBlocks(text);
    assert.is(blocks.join('') + tail, text);
  }
});

test('cut in steps of four characters, a text has the blocks that it has as a whole', () => {
  const blocks: string[] = [];
  let tail = '';
  for (let at = 0; at < TEXT.length; at += 4) {
    const settled = splitSettledBlocks(tail + TEXT.slice(at, at + 4));
    blocks.push(...settled.blocks);
    tail = settled.tail;
  }
  const visible = (all: string[]) => all.filter((block) => block.trim() !== '');
  assert.equal(visible([...blocks, ...listAnswerBlocks(tail)]), visible(listAnswerBlocks(TEXT)));
});

test('a long text is cut part by part into the blocks that it has as a whole', () => {
  const long = TEXT.repeat(20);
  const blocks: string[] = [];
  let rest = long;
  for (;;) {
    const first = takeFirstBlocks(rest, 300);
    if (first.blocks.length === 0) break;
    blocks.push(...first.blocks);
    rest = first.tail;
  }
  const visible = (all: string[]) => all.filter((block) => block.trim() !== '');
  assert.equal(visible([...blocks, ...listAnswerBlocks(rest)]), visible(listAnswerBlocks(long)));
});

test('of a long text only a part is cut at once', () => {
  const { blocks } = takeFirstBlocks(TEXT.repeat(20), 300);
  assert.ok(blocks.join('').length < 600, String(blocks.join('').length));
});

test('a first block that is longer than a part is found', () => {
  const { blocks } = takeFirstBlocks(
    `${'word '.repeat(200)}\n\nTwo.\n\nThree.\n\nFour.\n\n`.padEnd(4_000, 'five '),
    100,
  );
  assert.ok(blocks[0]?.startsWith('word '));
});

test('what is before an open fence is settled', () => {
  const { tail } = splitSettledBlocks('Words.\n\n```ts\nconst a');
  assert.equal(findOpenFence(tail), { language: 'ts', code: 'const a' });
});

test('a fence that is closed is not open', () => {
  assert.is(findOpenFence('```ts\nconst a = 1;\n```\n'), null);
});

test('a shorter fence does not close a longer one', () => {
  assert.is(findOpenFence('````\n```\n')?.code, '```\n');
});

test('places with their lines are citations', () => {
  assert.equal(refs('See src/a.ts:12, (src/b/c.mjs:3-9) and README.md#L4-L6.'), [
    'src/a.ts:12',
    'src/b/c.mjs:3-9',
    'README.md#L4-L6',
  ]);
});

test('a file that does not exist yet is a citation', () => {
  assert.equal(refs('A test in NEW:test/a.test.ts.'), ['NEW:test/a.test.ts']);
});

test('addresses, times and hosts with a port are no citations', () => {
  assert.equal(refs('https://example.org/a.ts:12 at 10:30, localhost:3000, Note: 12'), []);
});

test('a citation leads to its lines', () => {
  assert.equal(parseCitationPlace('src/a.ts:12-20'), { path: 'src/a.ts', line: 12, toLine: 20 });
  assert.equal(parseCitationPlace('src/a.ts#L7'), { path: 'src/a.ts', line: 7, toLine: null });
  assert.equal(parseCitationPlace('NEW:src/a.ts'), { path: 'src/a.ts', line: null, toLine: null });
});

test.run();
