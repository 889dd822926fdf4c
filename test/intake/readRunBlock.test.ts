import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { splitBlocks } from '../../src/base/agents/hiddenBlocks.ts';
import { readRunBlock } from '../../src/intake/readRunBlock.ts';

const test = suite('the run block of an answer');

const read = (text: string) => readRunBlock({ run: text, openRun: null }, 'end');
const FIXED = { block: { description: 'Fix it' }, repaired: true };

test('valid JSON is read as it is', async () => {
  assert.equal(await read('{"description":"Fix it"}'), {
    block: { description: 'Fix it' },
    repaired: false,
  });
});

test('valid JSON in a fence too', async () => {
  const text = '```json\n{"description":"Fix it"}\n```';
  assert.equal(await read(text), { block: { description: 'Fix it' }, repaired: false });
});

for (const [fault, text] of [
  ['a comma too many', '{"description":"Fix it",}'],
  ['single quotes', "{'description':'Fix it'}"],
  ['names without quotes', '{description:"Fix it"}'],
  ['a comment', '{"description":"Fix it" /* or so */}'],
  ['a missing end', '{"description":"Fix it'],
  ['a comma too many in a fence', '```json\n{"description":"Fix it",}\n```'],
] as const)
  test(`it is repaired: ${fault}`, async () => {
    assert.equal(await read(text), FIXED);
  });

for (const [fault, text] of [
  ['prose', 'Please run it now.'],
  ['a list', '[{"description":"Fix it"},]'],
  ['two objects', '{"a":1}{"b":2}'],
] as const)
  test(`it cannot be read: ${fault}`, async () => {
    assert.equal(await read(text), { block: null, repaired: true });
  });

test('an object without anything in it proposes nothing that can be read', async () => {
  assert.is((await read('{}'))?.block, null);
});

test('an answer that is cut within the block keeps what had come', async () => {
  const blocks = splitBlocks('Here:\n<run>\n{"description":"Fix it');
  assert.equal(await readRunBlock(blocks, 'cut'), FIXED);
});

test('an answer that a person has stopped within the block proposes nothing', async () => {
  const blocks = splitBlocks('Here:\n<run>\n{"description":"Fix it');
  assert.is(await readRunBlock(blocks, 'interrupted'), null);
});

test('an answer without a run block proposes nothing', async () => {
  assert.is(await readRunBlock(splitBlocks('Nothing.'), 'end'), null);
});

test.run();
