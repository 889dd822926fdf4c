import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/base/time/clock.ts';
import { answerClientErrors } from '../../../src/cloud/server/answerClientErrors.ts';

const test = suite('cloud: requests that are refused before a route has them');

/** How long the server of this file waits for the head of a request, ms. */
const HEAD_MS = 100;

let server: Server;
let answerCount = 0;

test.before(async () => {
  const limits = {
    headersTimeout: HEAD_MS,
    requestTimeout: 2 * HEAD_MS,
    connectionsCheckingInterval: HEAD_MS / 5,
  };
  server = createServer(limits, (req, res) => {
    if (req.socket.destroyed) return;
    answerCount += 1;
    req.resume().once('end', () => res.end('answered'));
  });
  answerClientErrors(server, systemClock);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
test.after(() => {
  server.closeAllConnections();
  server.close();
});

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** All that comes until the server ends; rejects where the connection is reset. */
async function readAll(socket: Socket): Promise<{ status: number; headers: string; body: string }> {
  let text = '';
  for await (const bytes of socket) text += bytes;
  const [headers = '', body = ''] = text.split('\r\n\r\n');
  return { status: Number(headers.split(' ')[1]), headers: headers.toLowerCase(), body };
}

test('a request whose head does not come in time gets 408, why, and when to try again', async () => {
  const socket = await open();
  socket.write('GET /half HTTP/1.1\r\nHost: a\r\nX-Half: ');
  const { status, headers, body } = await readAll(socket);
  assert.is(status, 408);
  assert.match(headers, 'retry-after: 1');
  assert.match(headers, 'content-type: application/problem+json');
  assert.is(JSON.parse(body).status, 408);
});

test('a body that does not come in time gets 408 too', async () => {
  const socket = await open();
  socket.write('POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf');
  assert.is((await readAll(socket)).status, 408);
});

test('what comes after a 408 is not done', async () => {
  const socket = await open();
  const before = answerCount;
  socket.write('POST /late HTTP/1.1\r\nHost: a\r\n');
  await once(socket, 'data');
  socket.write('Content-Length: 0\r\n\r\n');
  await once(socket.resume(), 'close');
  assert.is(answerCount, before);
});

test('a request that has arrived is answered, although the node was busy for longer than it waits', async () => {
  const connected = once(server, 'connection');
  const socket = await open();
  await connected;
  socket.write('GET /whole HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  // The bytes are at the server, which reads nothing meanwhile.
  const end = performance.now() + 3 * HEAD_MS;
  while (performance.now() < end);
  assert.equal((await readAll(socket)).body.includes('answered'), true);
});

test('bytes that are no request get 400, and headers that are too large 431', async () => {
  const garbage = await open();
  garbage.write('\u0001\u0002garbage\r\n\r\n');
  assert.is((await readAll(garbage)).status, 400);
  const large = await open();
  large.write(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`);
  assert.is((await readAll(large)).status, 431);
});

test.run();
