import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { InspectionEvent } from '../../src/durable/contract.ts';
import { type Inspection, serveInspection } from '../../src/http/inspection.ts';
import { WebSocketReader } from '../support/webSocketReader.ts';

const test = suite<{ inspection: Inspection }>('http inspection');

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

test('a reader with the address of this start is sent every event as a message of its own (JOB-15)', async ({ inspection }) => {
  assert.match(inspection.url, /^ws:\/\/127\.0\.0\.1:\d+\/inspect\/[\w-]{32}$/);
  const reader = await WebSocketReader.open(inspection.url);
  // The answer that RFC 6455 gives for its example key.
  assert.equal([reader.status, reader.accept], [101, 's3pPLMBiTxaQ9kYGzzhZRbK+xOo=']);
  const texts = ['short', 'x'.repeat(300), 'é'.repeat(40_000)];
  for (const text of texts) show(event(text));
  for (const text of texts) assert.equal(await reader.message(), { ...event(text) });
  reader.end();
});

test('without the secret, under a foreign name, from a page of another origin, or as no WebSocket at all, nobody gets in', async ({
  inspection,
}) => {
  const statusOf = async (url: string, headers: Record<string, string> = {}) => (await WebSocketReader.open(url, headers)).status;
  assert.is(await statusOf(inspection.url.replace(/[^/]+$/, 'guess')), 404);
  assert.is(await statusOf(`${inspection.url}/more`), 404);
  assert.is(await statusOf(inspection.url, { Host: 'evil.example' }), 403);
  for (const Origin of ['http://evil.example', 'null', 'http://127.0.0.1:1'])
    assert.is(await statusOf(inspection.url, { Origin }), 403, Origin);
  assert.is(await statusOf(inspection.url, { 'Sec-WebSocket-Version': '8' }), 400);
  assert.is((await fetch(inspection.url.replace('ws:', 'http:'))).status, 426);
  assert.is(observers.size, 0);
});

test('a ping is answered, a close too, and a reader that is gone is told nothing more', async ({ inspection }) => {
  const reader = await WebSocketReader.open(inspection.url);
  reader.send(9, 'still there?');
  assert.equal(await reader.frame(), { opcode: 10, payload: Buffer.from('still there?') });
  assert.is(observers.size, 1);
  reader.send(8);
  assert.is((await reader.frame()).opcode, 8);
  await reader.closed();
  assert.is(observers.size, 0);
});

test('what is no frame of a reader, or too large for one, ends its connection alone', async ({ inspection }) => {
  const other = await WebSocketReader.open(inspection.url);
  for (const bytes of [Buffer.from('GET / HTTP/1.1\r\n'), Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0xff, 0, 0, 0, 0, 0, 0, 0])]) {
    const reader = await WebSocketReader.open(inspection.url);
    reader.raw(bytes);
    await reader.closed();
  }
  show(event('on it goes'));
  assert.equal(await other.message(), { ...event('on it goes') });
  other.end();
});

test('a runner that stops says goodbye (1001) and gives the port back', async () => {
  const inspection = await serveInspection(inspect);
  const reader = await WebSocketReader.open(inspection.url);
  const closed = inspection.close();
  assert.equal(await reader.frame(), { opcode: 8, payload: Buffer.from([0x03, 0xe9]) });
  await closed;
  await reader.closed();
});

test.run();
