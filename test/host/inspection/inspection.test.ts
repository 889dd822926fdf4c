import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { InspectionEvent } from '../../../src/kernel/contract.ts';
import { type Inspection, serveInspection } from '../../../src/host/inspection/serveInspection.ts';
import { Inspector, shakeHands } from '../../support/http/inspector.ts';

const test = suite<{ inspection: Inspection }>('inspection');

const observers = new Set<(event: InspectionEvent) => void>();
const show = (event: InspectionEvent) => {
  for (const observer of observers) observer(event);
};
const inspect = (observer: (event: InspectionEvent) => void) => {
  observers.add(observer);
  return () => void observers.delete(observer);
};
const event = (text: string): InspectionEvent => ({
  type: '@xstate.event',
  sessionId: 'j1',
  createdAt: '0',
  event: { type: text },
});

test.before.each(async (context) => {
  context.inspection = await serveInspection(inspect);
});
test.after.each(({ inspection }) => inspection.close());

test('a reader with the address of this start is sent every event as a message of its own (JOB-15)', async ({
  inspection,
}) => {
  assert.match(inspection.url, /^ws:\/\/127\.0\.0\.1:\d+\/inspect\/[\w-]{32}$/);
  // The answer that RFC 6455 gives for its example key.
  const { status, accept, socket } = await shakeHands(inspection.url);
  assert.is(status, 101);
  assert.is(accept, 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  socket?.destroy();
  const reader = await Inspector.open(inspection.url);
  const texts = ['short', 'x'.repeat(300), 'é'.repeat(40_000)];
  for (const text of texts) show(event(text));
  for (const text of texts) assert.equal(await reader.message(), { ...event(text) });
  reader.end();
});

test('without the secret, under a foreign name, from a page of another origin, or as no WebSocket at all, noOne gets in', async ({
  inspection,
}) => {
  const requestStatus = async (url: string, headers: Record<string, string> = {}) =>
    (await shakeHands(url, headers)).status;
  assert.is(await requestStatus(inspection.url.replace(/[^/]+$/, 'guess')), 404);
  assert.is(await requestStatus(`${inspection.url}/more`), 404);
  assert.is(await requestStatus(inspection.url, { Host: 'evil.example' }), 403);
  for (const Origin of ['http://evil.example', 'null', 'http://127.0.0.1:1'])
    assert.is(await requestStatus(inspection.url, { Origin }), 403, Origin);
  assert.is(await requestStatus(inspection.url, { 'Sec-WebSocket-Version': '8' }), 400);
  assert.is((await fetch(inspection.url.replace('ws:', 'http:'))).status, 426);
  assert.is(observers.size, 0);
});

test('a ping is answered, a close too, and a reader that is gone is reported nothing more', async ({
  inspection,
}) => {
  const reader = await Inspector.open(inspection.url);
  assert.is(await reader.ping('still there?'), 'still there?');
  assert.is(observers.size, 1);
  reader.leave();
  // 1005: the goodbye was answered, without a code as it was said.
  assert.is(await reader.closed, 1005);
  assert.is(observers.size, 0);
});

test('what is no frame of a reader, or too large for one, ends its connection alone', async ({
  inspection,
}) => {
  const other = await Inspector.open(inspection.url);
  for (const bytes of [
    Buffer.from('GET / HTTP/1.1\r\n'),
    Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0, 0]),
  ]) {
    const { socket } = await shakeHands(inspection.url);
    assert.ok(socket);
    const closed = once(socket, 'close');
    socket.resume();
    socket.write(bytes);
    await closed;
  }
  show(event('on it goes'));
  assert.equal(await other.message(), { ...event('on it goes') });
  other.end();
});

test('a message of 4 KiB from a reader is ignored, a longer one ends its connection', async ({
  inspection,
}) => {
  const reader = await Inspector.open(inspection.url);
  reader.send('x'.repeat(4_096));
  await reader.ping('');
  reader.send('x'.repeat(4_097));
  // 1009: too big.
  assert.is(await reader.closed, 1009);
});

test('messages are not compressed, although the reader offers it', async ({ inspection }) => {
  const reader = await Inspector.open(inspection.url);
  assert.is(reader.extensions, '');
  reader.end();
});

test('a ninth reader is refused until one of the eight leaves', async ({ inspection }) => {
  const readers: Inspector[] = [];
  for (let n = 0; n < 8; n += 1) readers.push(await Inspector.open(inspection.url));
  assert.is((await shakeHands(inspection.url)).status, 503);
  const [first, ...others] = readers;
  first?.leave();
  await first?.closed;
  others.push(await Inspector.open(inspection.url));
  for (const reader of others) reader.end();
});

test('a reader that takes nothing is disconnected, and no more than the limit waits for it', async ({
  inspection,
}) => {
  const slow = await Inspector.open(inspection.url);
  const other = await Inspector.open(inspection.url);
  slow.pause();
  const megabyte = 'x'.repeat(1024 * 1024);
  let eventCount = 0;
  // What the two kernels buffer comes on top of the limit.
  while (observers.size === 2 && eventCount < 64) {
    show(event(megabyte));
    eventCount += 1;
    await other.message();
  }
  assert.ok(eventCount < 64, 'it was never disconnected');
  slow.resume();
  assert.is(await slow.closed, 1006);
  show(event('on it goes'));
  assert.equal(await other.message(), { ...event('on it goes') });
  other.end();
});

test('a runner that stops says goodbye (1001) and gives the port back', async () => {
  const inspection = await serveInspection(inspect);
  const reader = await Inspector.open(inspection.url);
  const closed = inspection.close();
  assert.is(await reader.closed, 1001);
  await closed;
});

test('a runner that stops does not wait for a reader that does not answer its goodbye', async () => {
  const inspection = await serveInspection(inspect);
  const { socket } = await shakeHands(inspection.url);
  await inspection.close();
  socket?.destroy();
});

test.run();
