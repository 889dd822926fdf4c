import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_PART_BYTES } from '../../../src/contract/channel/limits.ts';
import { readShortReply } from '../../../src/cloud/runners/readShortReply.ts';
import { codeOfRefusal } from '../../support/refusal.ts';

const test = suite('cloud: short replies of runners');

async function* sendParts(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

const toReply = (length: string | null, ...texts: string[]) => ({
  status: 200,
  headers: length === null ? {} : { 'content-length': length },
  body: sendParts(...texts),
});

test('a reply with a small length is read at once', async () => {
  const { fullBody, status } = await readShortReply(toReply('4', '{"', '"}'));
  assert.equal([status, String(fullBody)], [200, '{""}']);
  assert.is((await readShortReply(toReply('0'))).fullBody?.length, 0);
});

test('one that is longer or shorter than it says is an error, not half an answer', async () => {
  for (const reply of [toReply('3', '{}}}'), toReply('5', '{}')])
    assert.is(await codeOfRefusal(() => readShortReply(reply)), 'runner-away');
});

test('one that is long, or does not say its length, is left as it is', async () => {
  for (const length of [null, String(MAX_PART_BYTES + 1), '1x', '-1', '12345678'])
    assert.is((await readShortReply(toReply(length, 'x'))).fullBody, undefined, String(length));
});

test.run();
