import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  HEARTBEAT_MS,
  MAX_WAITING_BYTES,
  STALL_MS,
} from '../../../src/api/server/streams/jobStream.ts';
import { JOB_ID } from '../../support/http/fakeFacade.ts';
import { type Ask, ask, openSurface, type Surface } from '../../support/http/httpSurface.ts';

const test = suite('http stream');

/** Less than the five seconds after which Node itself would close a connection that is kept open, ms. */
const AT_ONCE_MS = 4_000;

const log = (line: string) => ({ kind: 'log', data: { line } });

/** An open stream of which one block (an event or a comment) after the other can be read. */
async function follow({ port }: Surface, query = '', { headers = {}, method = 'GET' }: Ask = {}) {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path: `/jobs/${JOB_ID}/stream${query}`,
    method,
    headers,
    agent: false,
  });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [import('node:http').IncomingMessage];
  const blocks = (async function* () {
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        yield text.slice(0, end);
        text = text.slice(end + 2);
      }
    }
  })();
  const next = async (count = 1): Promise<string[]> => {
    const read: string[] = [];
    while (read.length < count) {
      const { value, done } = await blocks.next();
      if (done) break;
      read.push(value);
    }
    return read;
  };
  return { response, next, leave: () => outgoing.destroy() };
}

const frame = (n: number, line: string) => `id: ${n}\nevent: log\ndata: {"line":"${line}"}`;

test('a stream sends what was and what comes, each frame once, on one line, with its number (HTTP-3)', async () => {
  await using surface = await openSurface();
  surface.runner.emit(log('one'), {
    kind: 'state',
    data: { status: 'coding', text: 'two\nlines' },
  });
  const { response, next, leave } = await follow(surface);
  assert.is(response.statusCode, 200);
  assert.is(response.headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.is(response.headers['cache-control'], 'no-store');
  assert.is(response.headers['x-accel-buffering'], 'no');
  assert.equal(await next(3), [
    'retry: 2000',
    frame(1, 'one'),
    'id: 2\nevent: state\ndata: {"status":"coding","text":"two\\nlines"}',
  ]);
  surface.runner.emit(log('three'));
  assert.equal(await next(), [frame(3, 'three')]);
  leave();
});

test('Last-Event-ID continues after the last frame read, whatever the query says (HTTP-3)', async () => {
  await using surface = await openSurface();
  surface.runner.emit(log('one'), log('two'), log('three'));
  const { next, leave } = await follow(surface, '?after=0', { headers: { 'Last-Event-ID': '2' } });
  assert.equal(await next(2), ['retry: 2000', frame(3, 'three')]);
  leave();
});

test('after and tail choose where to begin; tail=0 is only what comes from now on (HTTP-3)', async () => {
  await using surface = await openSurface();
  surface.runner.emit(log('one'), log('two'), log('three'));
  for (const [query, expected] of [
    ['?after=1', 1],
    ['?tail=1', 2],
    ['?tail=99', 0],
    ['?tail=0', 3],
    ['', 0],
  ] as const) {
    const { leave, next } = await follow(surface, query);
    await next();
    assert.is(surface.runner.subscriptions.at(-1), expected, query);
    leave();
  }
  const readCode = async (query: string, headers: Record<string, string> = {}) =>
    (await ask(surface, `/jobs/${JOB_ID}/stream${query}`, { headers })).status;
  assert.equal(await readCode('?after=1&tail=1'), 400);
  assert.equal(await readCode('?after=-1'), 400);
  assert.equal(await readCode('?after=x'), 400);
  assert.equal(await readCode('', { 'Last-Event-ID': 'x' }), 400);
});

test('follow=false ends the stream once the past is sent, also where nothing is (HTTP-3)', async () => {
  await using surface = await openSurface();
  const bye = 'event: bye\ndata: {"reason":"caught-up"}';
  const { next: empty } = await follow(surface, '?follow=false');
  assert.equal(await empty(9), ['retry: 2000', bye]);
  surface.runner.emit(log('one'), log('two'));
  const { next: all } = await follow(surface, '?follow=false');
  assert.equal(await all(9), ['retry: 2000', frame(1, 'one'), frame(2, 'two'), bye]);
  const { next: newest } = await follow(surface, '?tail=1&follow=false');
  assert.equal(await newest(9), ['retry: 2000', frame(2, 'two'), bye]);
});

test('the stream of an unknown job is a 404 before any event (HTTP-3)', async () => {
  await using surface = await openSurface();
  const answer = await ask(surface, '/jobs/svc-job-9/stream');
  assert.equal(answer.status, 404);
  assert.equal(answer.headers['content-type'], 'application/problem+json');
});

test('HEAD of a stream has its head and ends (HTTP-3)', async () => {
  await using surface = await openSurface();
  const answer = await ask(surface, `/jobs/${JOB_ID}/stream`, { method: 'HEAD' });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.equal(answer.text, '');
  assert.equal(surface.runner.subscriptions, []);
});

test('the stream of a job that has ended says bye and ends (HTTP-3)', async () => {
  await using surface = await openSurface();
  const { next } = await follow(surface);
  await next();
  surface.runner.emit(log('last'));
  surface.runner.bye('ended');
  assert.equal(await next(9), [frame(1, 'last'), 'event: bye\ndata: {"reason":"ended"}']);
  assert.is(surface.runner.sinks.size, 0);
});

test('a comment every 15 seconds keeps a silent stream alive (HTTP-3)', async () => {
  await using surface = await openSurface();
  const { next, leave } = await follow(surface);
  await next();
  surface.clock.advance(HEARTBEAT_MS - 1);
  surface.runner.emit(log('before'));
  surface.clock.advance(1);
  assert.equal(await next(2), [frame(1, 'before'), ': still here']);
  surface.clock.advance(HEARTBEAT_MS);
  assert.equal(await next(), [': still here']);
  leave();
});

test('a reader that leaves is forgotten: no subscription and no timer stays (HTTP-3)', async () => {
  await using surface = await openSurface();
  const { next, leave } = await follow(surface);
  await next();
  assert.equal(surface.runner.sinks.size, 1);
  assert.equal(surface.clock.waiting, 1);
  leave();
  while (surface.runner.sinks.size > 0) await new Promise(setImmediate);
  assert.is(surface.clock.waiting, 0);
});

test('frames that are no longer kept are a gap, not a silence (HTTP-3)', async () => {
  await using surface = await openSurface();
  surface.runner.emit(log('one'), log('two'), log('three'));
  surface.runner.stored.splice(0, 2);
  const { next, leave } = await follow(surface);
  assert.equal(await next(3), [
    'retry: 2000',
    'event: gap\ndata: {"reason":"trimmed","after":0,"next":3}',
    frame(3, 'three'),
  ]);
  leave();
});

test('a long past reaches a reader whole, though no more than a bounded part waits for it at once (HTTP-3)', async () => {
  await using surface = await openSurface();
  const total = 400;
  surface.runner.emit(
    ...Array.from({ length: total }, (_, index) => log(`${index} ${'x'.repeat(65_536)}`)),
  );
  const { next, leave } = await follow(surface);
  const blocks = await next(total + 1);
  assert.equal(
    blocks.slice(1).map((block) => Number(/^id: (\d+)/.exec(block)?.[1])),
    Array.from({ length: total }, (_, index) => index + 1),
  );
  // Read again from the store each time that there was room, never from the start.
  const { subscriptions } = surface.runner;
  assert.ok(subscriptions.length > 5, `${subscriptions.length} subscriptions`);
  assert.equal(
    subscriptions,
    [...new Set(subscriptions)].sort((a, b) => a - b),
  );
  leave();
});

test('a reader that takes nothing is not fed, and is cut: what waits for it stays bounded (HTTP-3)', async () => {
  await using surface = await openSurface();
  const socket = connect(surface.port, '127.0.0.1');
  socket.pause();
  socket.write(`GET /jobs/${JOB_ID}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  while (surface.runner.sinks.size === 0) await new Promise(setImmediate);
  const line = log('x'.repeat(256 * 1024));
  let emitted = 0;
  // The kernel's buffers take some megabytes first; each turn of the loop lets it take more.
  while (surface.runner.sinks.size > 0) {
    surface.runner.emit(line);
    emitted += 1;
    assert.ok(emitted < 400, 'the reader was fed 100 MiB that it did not read');
    await new Promise(setImmediate);
  }
  surface.clock.advance(STALL_MS);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  socket.resume();
  while (!text.endsWith('\r\n0\r\n\r\n')) await once(socket, 'data');
  const lastId = Number([...text.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1]);
  assert.match(
    text.slice(-200),
    new RegExp(`event: gap\\ndata: {"reason":"slow-reader","after":${lastId},"next":null}`),
  );
  socket.destroy();
  const { next, leave } = await follow(surface, '', {
    headers: { 'Last-Event-ID': String(lastId) },
  });
  surface.runner.emit(log('after the cut'));
  const blocks = await next(surface.runner.stored.length - lastId + 1);
  assert.is(blocks.at(-1), frame(surface.runner.stored.length, 'after the cut'));
  assert.ok(MAX_WAITING_BYTES < 4 * 1024 * 1024);
  leave();
});

test('a reader that takes its time is not cut as long as it takes something (HTTP-3)', async () => {
  await using surface = await openSurface();
  surface.runner.emit(...Array.from({ length: 60 }, () => log('y'.repeat(256 * 1024))));
  const { next, leave } = await follow(surface);
  await next(10);
  surface.clock.advance(STALL_MS - 1);
  const rest = await next(51);
  assert.match(rest.at(-1) ?? '', /^id: 60\n/);
  leave();
});

test('a stop says bye to open streams and is over at once (HTTP-3, RUN-6)', async () => {
  const surface = await openSurface();
  const first = await follow(surface);
  const second = await follow(surface);
  await first.next();
  await second.next();
  const before = performance.now();
  const closed = surface.close();
  assert.equal(await first.next(9), ['event: bye\ndata: {"reason":"stopping"}']);
  assert.equal(await second.next(9), ['event: bye\ndata: {"reason":"stopping"}']);
  await closed;
  assert.ok(performance.now() - before < AT_ONCE_MS, `${performance.now() - before} ms`);
  assert.is(surface.clock.waiting, 0);
});

test('a stop does not wait for connections that a client keeps open for later', async () => {
  const surface = await openSurface();
  const socket = connect(surface.port, '127.0.0.1');
  socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  const before = performance.now();
  await surface.close();
  assert.ok(performance.now() - before < AT_ONCE_MS, `${performance.now() - before} ms`);
  socket.destroy();
});

test.run();
