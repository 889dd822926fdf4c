import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Credits } from '../../../src/contract/channel/credits.ts';
import { PART_CREDITS } from '../../../src/contract/channel/limits.ts';
import { PartReader } from '../../../src/contract/channel/partReader.ts';
import { codeOfRefusal } from '../../support/refusal.ts';

const test = suite('parts of a reply');

const part = (n: number): Uint8Array => new Uint8Array([n]);

function aReader() {
  const noted = { credits: 0, left: 0 };
  const reader = new PartReader({
    onRead: (parts) => {
      noted.credits += parts;
    },
    onLeft: () => {
      noted.left += 1;
    },
  });
  return { reader, noted };
}

const readAll = async (reader: PartReader): Promise<number[]> => {
  const all: number[] = [];
  for await (const bytes of reader) all.push(...bytes);
  return all;
};

test('parts are read in order up to the last one', async () => {
  const { reader, noted } = aReader();
  reader.push(part(1), false);
  const read = readAll(reader);
  reader.push(part(2), false);
  reader.push(part(3), true);
  assert.equal(await read, [1, 2, 3]);
  assert.is(noted.left, 0);
});

test('a reader that does not read gives no credits', () => {
  const { reader, noted } = aReader();
  for (let n = 0; n < PART_CREDITS; n += 1) reader.push(part(n), false);
  assert.is(noted.credits, 0);
});

test('a part without a credit is refused', async () => {
  const { reader } = aReader();
  for (let n = 0; n < PART_CREDITS; n += 1) reader.push(part(n), false);
  assert.is(await codeOfRefusal(() => reader.push(part(0), false)), 'malformed');
});

test('a part after the last one is refused', async () => {
  const { reader } = aReader();
  reader.push(part(1), true);
  assert.is(await codeOfRefusal(() => reader.push(part(2), false)), 'malformed');
});

test('what was read is given back as credits, so that a long reply never stops', async () => {
  const { reader, noted } = aReader();
  const read = readAll(reader);
  const most = 10 * PART_CREDITS;
  for (let n = 0; n < most; n += 1) {
    if (n - noted.credits >= PART_CREDITS) assert.unreachable('no credit was given back');
    reader.push(part(0), n === most - 1);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  assert.is((await read).length, most);
});

test('a reader that leaves reports it once', async () => {
  const { reader, noted } = aReader();
  reader.push(part(1), false);
  for await (const _ of reader) break;
  reader.leave();
  assert.is(noted.left, 1);
});

test('one that never began reports it too', () => {
  const { reader, noted } = aReader();
  reader.leave();
  assert.is(noted.left, 1);
});

test('what has come is read before a failure is reported', async () => {
  const { reader } = aReader();
  reader.push(part(1), false);
  reader.fail(new Error('broken'));
  const read: number[] = [];
  const error = await (async () => {
    for await (const bytes of reader) read.push(...bytes);
  })().catch((thrown: Error) => thrown.message);
  assert.is(error, 'broken');
  assert.equal(read, [1]);
});

test('a source without credits waits for one, and stops when no more is wanted', async () => {
  const credits = new Credits(1);
  assert.is(await credits.take(), true);
  const second = credits.take();
  credits.add(1);
  assert.is(await second, true);
  const third = credits.take();
  credits.close();
  assert.is(await third, false);
});

test.run();
