import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Frame, ReceivedFrame } from '../../src/contract/channel/frames.ts';
import {
  MAX_OPEN_REQUESTS,
  MAX_PART_BYTES,
  MAX_REQUEST_BYTES,
  PART_CREDITS,
} from '../../src/contract/channel/limits.ts';
import { RequestAnswerer } from '../../src/cloudLink/requestAnswerer.ts';
import { openOwnServer, type OwnServer, waitUntil } from '../support/cloud/testTeam.ts';

const test = suite('requests of the control plane at the runner');

let own: OwnServer;
/** Answers that are still open; `/held` never ends by itself. */
const openResponses = new Set<ServerResponse>();

test.before(async () => {
  own = await openOwnServer((req, res, body) => {
    if (req.url !== '/held') return void res.end(String(body.length));
    openResponses.add(res);
    res.once('close', () => openResponses.delete(res));
  });
});
test.before.each(() => void own.requests.splice(0));
test.after(() => own.close());

function openAnswerer(listener: RequestListener | null = own.listener, isFull = false) {
  const sent: Frame[] = [];
  const flushes: string[][] = [];
  const socket = {
    send: (frame: Frame) => void sent.push(frame),
    flush: () => void flushes.push(sent.map(({ type }) => type)),
    hasRoom: async () => true,
  };
  const app = { answer: () => listener, token: 'own-token', secret: 'link-secret' };
  const answers = new RequestAnswerer({ ...socket, isOpen: true, isFull }, app);
  const listStatuses = () => sent.flatMap((one) => (one.type === 'response' ? [one.status] : []));
  return { answers, sent, flushes, listStatuses };
}

const toRequest = (
  id: string,
  more: Partial<ReceivedFrame<'request'>> = {},
): ReceivedFrame<'request'> => ({
  type: 'request',
  id,
  method: 'POST',
  path: '/jobs',
  headers: {},
  size: 0,
  person: { userId: 'ada', name: 'Ada', role: 'member' },
  body: new Uint8Array(),
  ...more,
});

const listParts = (frames: readonly Frame[]): number[] =>
  frames.flatMap((one) => (one.type === 'part' ? [one.body?.length ?? 0] : []));

const readProblem = (frames: readonly Frame[]): { status?: number; code?: string } => {
  const bytes = frames.flatMap((one) => (one.type === 'part' && one.body ? [...one.body] : []));
  return JSON.parse(Buffer.from(bytes).toString());
};

const toPart = (id: string, bytes: number): ReceivedFrame<'part'> => ({
  type: 'part',
  id,
  body: new Uint8Array(bytes),
});

test('a request that begins twice is refused as a fault of the channel', () => {
  const { answers } = openAnswerer();
  answers.begin(toRequest('1', { size: 5 }));
  assert.throws(() => answers.begin(toRequest('1', { size: 5 })), /began twice/);
  answers.close();
});

test('a body that is cut in the middle never reaches the runner', async () => {
  const { answers, listStatuses } = openAnswerer();
  answers.begin(toRequest('1', { size: 10 }));
  answers.takePart(toPart('1', 9));
  answers.close();
  answers.takePart(toPart('1', 1));
  answers.begin(toRequest('2', { path: '/after' }));
  await waitUntil(() => listStatuses().length === 1);
  assert.equal(
    own.requests.map(({ url }) => url),
    ['/after'],
  );
});

test('a body that is longer than its size is refused, and never reaches the runner', async () => {
  const { answers, listStatuses } = openAnswerer();
  answers.begin(toRequest('1', { size: 10 }));
  answers.takePart(toPart('1', 11));
  // What was on its way.
  answers.takePart(toPart('1', 11));
  assert.equal(listStatuses(), [400]);
  assert.is(own.requests.length, 0);
  assert.is(answers.count, 0);
});

test('the last part of a reply of known length ends it', async () => {
  const { answers, sent } = openAnswerer();
  answers.begin(toRequest('1'));
  await waitUntil(() => sent.some((one) => one.type === 'part' && one.end === true));
  await waitUntil(() => answers.count === 0);
  assert.equal(
    sent.map(({ type, body }) => [type, body?.length ?? 0]),
    [
      ['response', 0],
      ['part', 1],
    ],
  );
});

test('a short reply of known length comes in one frame where the control plane reads that', async () => {
  const { answers, sent, flushes } = openAnswerer();
  answers.begin(toRequest('1', { takesFullReply: true }));
  await waitUntil(() => answers.count === 0);
  const [reply, ...others] = sent;
  assert.equal(others, []);
  assert.equal(reply?.type === 'response' && [reply.status, reply.isFull, String(reply.body)], [
    200,
    true,
    '0',
  ]);
  assert.equal(flushes, [['response']]);
});

const COMES_IN_PARTS: readonly { what: string; listener: RequestListener; isFull?: boolean }[] = [
  { what: 'without a length', listener: (_, res) => void res.write('0', () => res.end()) },
  { what: 'longer than a part', listener: (_, res) => res.end(Buffer.alloc(MAX_PART_BYTES + 1)) },
  { what: 'on a full socket', listener: (_, res) => res.end('0'), isFull: true },
];

for (const { what, listener, isFull } of COMES_IN_PARTS)
  test(`a reply ${what} comes in parts`, async () => {
    const { answers, sent } = openAnswerer(listener, isFull);
    answers.begin(toRequest('1', { takesFullReply: true }));
    await waitUntil(() => answers.count === 0);
    assert.equal([...new Set(sent.map(({ type }) => type))], ['response', 'part']);
    assert.is(sent[0]?.type === 'response' && sent[0].isFull, undefined);
  });

test('the only open reply goes out with its last part; several of one turn share a write', async () => {
  const { answers, flushes } = openAnswerer();
  answers.begin(toRequest('1'));
  await waitUntil(() => answers.count === 0);
  assert.equal(flushes, [['response', 'part']]);
  answers.begin(toRequest('2', { path: '/held' }));
  answers.begin(toRequest('3'));
  await waitUntil(() => answers.count === 1);
  assert.is(flushes.length, 1);
  answers.close();
});

test('parts, credits and cancels of no request change nothing', () => {
  const { answers, sent } = openAnswerer();
  answers.takePart(toPart('1', 10));
  answers.addCredit({ type: 'credit', id: '1', parts: 5, body: new Uint8Array() });
  answers.cancel({ type: 'cancel', id: '1', body: new Uint8Array() });
  assert.is(sent.length, 0);
  assert.is(answers.count, 0);
});

test('headers of a connection and a made-up person never reach the runner', async () => {
  const { answers, listStatuses } = openAnswerer();
  const person = Buffer.from('{"userId":"eve","name":"Eve","role":"owner"}').toString('base64url');
  const headers = {
    Connection: 'x-request-id, authorization',
    'Keep-Alive': 'timeout=999',
    'Transfer-Encoding': 'chunked',
    TE: 'trailers',
    Trailer: 'X-Svc-Person',
    Upgrade: 'websocket',
    'Proxy-Authorization': 'Basic x',
    'Proxy-Connection': 'keep-alive',
    'Content-Length': '3',
    Expect: '100-continue',
    Host: 'evil.example',
    Cookie: 'svc_session=x',
    'X-SVC-Person': person,
    'x-svc-person ': person,
    'X-Svc-Link': 'made-up',
    'X-Request-Id': 'kept\r\nX-Svc-Person: x',
  };
  answers.begin(toRequest('1', { headers }));
  await waitUntil(() => listStatuses().length === 1);
  const received = own.requests[0]?.headers ?? {};
  const { host, connection, ...rest } = received;
  assert.is(host, 'localhost');
  assert.ok(!String(connection).includes('authorization'));
  assert.equal(Object.keys(rest).sort(), [
    'authorization',
    'content-length',
    'x-svc-link',
    'x-svc-person',
  ]);
  assert.is(rest['content-length'], '0');
  assert.is(rest['x-svc-link'], 'link-secret');
  const sender = JSON.parse(Buffer.from(String(rest['x-svc-person']), 'base64url').toString());
  assert.is(sender.userId, 'ada');
});

test('of 10,000 streams as many as may be open are, and the others are refused', async () => {
  const { answers, listStatuses } = openAnswerer();
  for (let n = 0; n < 10_000; n += 1) {
    const person = { userId: `m${n % 100}`, name: 'M', role: 'viewer' as const };
    answers.begin(toRequest(n.toString(36), { method: 'GET', path: '/held', person }));
  }
  assert.is(answers.count, MAX_OPEN_REQUESTS);
  const refused = listStatuses();
  assert.is(refused.length, 10_000 - MAX_OPEN_REQUESTS);
  assert.ok(refused.every((status) => status === 503));
  await waitUntil(() => openResponses.size === MAX_OPEN_REQUESTS);
  answers.close();
  await waitUntil(() => openResponses.size === 0);
});

test('bodies that never come whole hold no more than the limit, and their end frees it', () => {
  const { answers, listStatuses } = openAnswerer();
  for (const id of ['1', '2', '3', '4', '5'])
    answers.begin(toRequest(id, { size: MAX_REQUEST_BYTES }));
  assert.equal(listStatuses(), [503]);
  answers.cancel({ type: 'cancel', id: '1', body: new Uint8Array() });
  answers.begin(toRequest('6', { size: MAX_REQUEST_BYTES }));
  assert.equal(listStatuses(), [503]);
  answers.close();
});

test('a slow reader stops the source of a reply, and credits let it continue', async () => {
  let written = 0;
  const part = Buffer.alloc(MAX_PART_BYTES);
  const { answers, sent } = openAnswerer((_, res) => {
    const write = () => {
      while (written < 3 * PART_CREDITS && !res.destroyed) {
        written += 1;
        if (!res.write(part)) return void res.once('drain', write);
      }
      res.end();
    };
    write();
  });
  answers.begin(toRequest('1', { method: 'GET' }));
  await waitUntil(() => listParts(sent).length === PART_CREDITS);
  assert.ok(written < PART_CREDITS + 3, `${written} parts were written`);
  answers.addCredit({
    type: 'credit',
    id: '1',
    parts: 2 * PART_CREDITS + 1,
    body: new Uint8Array(),
  });
  await waitUntil(() => answers.count === 0);
  // The last one is the end, which has no bytes: the reply did not say how long it is.
  assert.equal(listParts(sent), [...Array(3 * PART_CREDITS).fill(MAX_PART_BYTES), 0]);
});

test('a route notices that its reader has left in mid-stream', async () => {
  let isGone = false;
  const { answers, sent } = openAnswerer((_, res) => {
    res.once('close', () => {
      isGone = true;
    });
    res.write(': begin\n\n');
  });
  answers.begin(toRequest('1', { method: 'GET' }));
  await waitUntil(() => listParts(sent).length === 1);
  answers.cancel({ type: 'cancel', id: '1', body: new Uint8Array() });
  await waitUntil(() => isGone);
  assert.is(answers.count, 0);
});

test('a reply that breaks off is cancelled, and one that never began is a 503', async () => {
  const { answers, sent, listStatuses } = openAnswerer((req, res) => {
    if (req.url === '/begun') res.write('half', () => res.destroy());
    else res.destroy();
  });
  answers.begin(toRequest('1', { path: '/begun' }));
  await waitUntil(() => answers.count === 0);
  assert.equal(
    sent.map(({ type }) => type),
    ['response', 'part', 'cancel'],
  );
  sent.length = 0;
  answers.begin(toRequest('2', { path: '/other' }));
  await waitUntil(() => answers.count === 0);
  assert.equal(listStatuses(), [503]);
  assert.is(readProblem(sent).code, 'stopping');
});

test('a runner whose port is closed answers 503', () => {
  const { answers, sent } = openAnswerer(null);
  answers.begin(toRequest('1'));
  assert.is(readProblem(sent).code, 'stopping');
  assert.is(answers.count, 0);
});

test('a path that no request may have never reaches the runner', () => {
  for (const path of [
    'jobs',
    'http://127.0.0.1/jobs',
    '/jobs HTTP/1.1\r\nX: y',
    '/jobs\u0000',
    '/\u0140',
  ]) {
    const { answers, sent } = openAnswerer();
    answers.begin(toRequest('1', { path }));
    assert.is(readProblem(sent).code, 'malformed', path);
  }
  assert.is(own.requests.length, 0);
});

test('a reply to HEAD has its length and no body', async () => {
  const { answers, sent } = openAnswerer((_, res) => {
    res.setHeader('Content-Length', 12);
    res.end('twelve bytes');
  });
  answers.begin(toRequest('1', { method: 'HEAD' }));
  await waitUntil(() => answers.count === 0);
  assert.equal(
    sent.map((one) => (one.type === 'response' ? one.headers['content-length'] : one.type)),
    ['12', 'part'],
  );
});

test.run();
