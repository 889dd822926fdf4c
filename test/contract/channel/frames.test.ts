import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeFrame } from '../../../src/contract/channel/decodeFrame.ts';
import { encodeFrame } from '../../../src/contract/channel/encodeFrame.ts';
import type { Frame } from '../../../src/contract/channel/frames.ts';
import { MAX_HEAD_BYTES, MAX_PART_BYTES } from '../../../src/contract/channel/limits.ts';
import { seededRandom } from '../../support/charts/randomWalk.ts';
import { inLongLane } from '../../support/longLane.ts';
import { codeOfRefusal } from '../../support/refusal.ts';

const test = suite('channel frames');

const NOTHING = new Uint8Array();
const RUNS = inLongLane ? 50_000 : 3_000;

const FRAMES: readonly Frame[] = [
  { type: 'beat', n: 1, free: 2, slots: 2, state: 'running' },
  { type: 'part', id: 'a1', end: true, body: new Uint8Array([0, 255, 10]) },
  { type: 'cancel', id: 'z', reason: 'the reader has left' },
  { type: 'drain', delayMs: 4_000 },
  { type: 'acknowledged', source: 's', n: 9 },
  {
    type: 'request',
    id: '7',
    method: 'GET',
    path: '/jobs?limit=1',
    headers: { accept: 'application/json' },
    size: 0,
    person: { userId: 'u', name: 'Ada', role: 'member' },
  },
];

const encodeRawFrame = (head: string, body: Uint8Array = NOTHING): Uint8Array => {
  const text = new TextEncoder().encode(head);
  const bytes = new Uint8Array(4 + text.length + body.length);
  new DataView(bytes.buffer).setUint32(0, text.length);
  bytes.set(text, 4);
  bytes.set(body, 4 + text.length);
  return bytes;
};

for (const frame of FRAMES) {
  test(`a ${frame.type} comes out as it went in`, () => {
    const decoded = decodeFrame(encodeFrame(frame));
    assert.equal(
      { ...decoded, body: [...(decoded?.body ?? [])] },
      {
        v: 1,
        ...frame,
        body: [...(frame.body ?? [])],
      },
    );
  });
}

test('a frame within a larger buffer is read from where it begins', () => {
  const bytes = encodeFrame({ type: 'drain', delayMs: 1 });
  const around = new Uint8Array(bytes.length + 16).fill(7);
  around.set(bytes, 8);
  const { type } = decodeFrame(around.subarray(8, 8 + bytes.length)) ?? {};
  assert.is(type, 'drain');
});

test('an unknown type is ignored, unless it must be understood', async () => {
  assert.is(decodeFrame(encodeRawFrame('{"v":1,"type":"later"}')), null);
  assert.is(
    await codeOfRefusal(() => decodeFrame(encodeRawFrame('{"v":1,"type":"later","must":true}'))),
    'malformed',
  );
});

test('a known type of a later version counts as unknown', () => {
  assert.is(decodeFrame(encodeRawFrame('{"v":2,"type":"drain","delayMs":1}')), null);
});

const BAD: Readonly<Record<string, Uint8Array>> = {
  nothing: NOTHING,
  'half a length': new Uint8Array([0, 0]),
  'a length of 100 MB': new Uint8Array([6, 0, 0, 0, 123, 125]),
  'the longest length': new Uint8Array([255, 255, 255, 255, 123, 125]),
  'a head that is cut': encodeRawFrame('{"v":1,"type":"drain","delayMs":1}').subarray(0, 20),
  'a head that is no JSON': encodeRawFrame('{"v":1,'),
  'a head that is no UTF-8': new Uint8Array([0, 0, 0, 2, 0xc3, 0x28]),
  'a head that is a list': encodeRawFrame('[1]'),
  'a head without a version': encodeRawFrame('{"type":"drain","delayMs":1}'),
  'a version that is no longer spoken': encodeRawFrame('{"v":0,"type":"drain","delayMs":1}'),
  'a head without a type': encodeRawFrame('{"v":1}'),
  'a type of the prototype': encodeRawFrame('{"v":1,"type":"constructor","must":true}'),
  'a member of another kind': encodeRawFrame('{"v":1,"type":"drain","delayMs":"1"}'),
  'a number that is negative': encodeRawFrame('{"v":1,"type":"drain","delayMs":-1}'),
  'a path that is an address': encodeRawFrame(
    '{"v":1,"type":"request","id":"1","method":"GET","path":"http://x/","headers":{},"size":0,"person":null}',
  ),
  'a body that is too long': encodeRawFrame(
    '{"v":1,"type":"part","id":"1"}',
    new Uint8Array(MAX_PART_BYTES + 1),
  ),
  'a head that is too long': encodeRawFrame(
    JSON.stringify({ v: 1, type: 'drain', delayMs: 1, more: 'x'.repeat(MAX_HEAD_BYTES) }),
  ),
};

for (const [name, bytes] of Object.entries(BAD)) {
  test(`refused: ${name}`, async () =>
    assert.is(await codeOfRefusal(() => decodeFrame(bytes)), 'malformed'));
}

test('what is too long is not sent', async () => {
  const body = new Uint8Array(MAX_PART_BYTES + 1);
  assert.is(await codeOfRefusal(() => encodeFrame({ type: 'part', id: '1', body })), 'too-large');
  const reason = 'x'.repeat(MAX_HEAD_BYTES);
  assert.is(
    await codeOfRefusal(() => encodeFrame({ type: 'cancel', id: '1', reason })),
    'too-large',
  );
});

test('garbage and damaged frames are refused or read, and never more than that', () => {
  const random = seededRandom(4711);
  const byte = () => Math.floor(random() * 256);
  const outcomes = { refused: 0, read: 0, other: 0 };
  for (let run = 0; run < RUNS; run += 1) {
    const frame = FRAMES[run % FRAMES.length] as Frame;
    const bytes =
      run % 3 === 0
        ? Uint8Array.from({ length: Math.floor(random() * 200) }, byte)
        : encodeFrame(frame);
    if (run % 3 === 1) bytes[Math.floor(random() * bytes.length)] = byte();
    const cut = run % 3 === 2 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes;
    try {
      decodeFrame(cut);
      outcomes.read += 1;
    } catch (error) {
      outcomes[Object(error).code === 'malformed' ? 'refused' : 'other'] += 1;
    }
  }
  assert.is(outcomes.other, 0);
  assert.is(outcomes.refused + outcomes.read, RUNS);
});

test.run();
