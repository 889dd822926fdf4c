import { mayAlwaysAct } from '../../../src/base/concurrency/mayAct.ts';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { AccountClient } from '../../../src/providers/account/accountClient.ts';
import { systemClock } from '../../../src/base/time/clock.ts';
import { classifyFailure } from '../../../src/providers/rest/classifyFailure.ts';
import { isOfPart } from '../../../src/providers/rest/unreadParts.ts';
import { SimulatedClock } from '../../support/charts/simulatedClock.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('an answer whose body breaks');

/** As undici reports a connection that is cut in the middle of a body. */
const cut = () =>
  Object.assign(new TypeError('terminated'), { cause: new Error('other side closed') });

const brokenBody = () =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from('[{"id":1},'));
    },
    pull: (controller) => controller.error(cut()),
  });

/** A client whose server gives one answer again and again; it counts the requests. */
function openClient(
  answer: (init: RequestInit) => Response | Promise<Response>,
  clock = new SimulatedClock(),
) {
  let requests = 0;
  const client = new AccountClient({
    mayAct: mayAlwaysAct,
    host: 'api.test',
    screen: (text) => text,
    clock,
    random: () => 0,
    perJob: 100,
    writeGapMs: 0,
    fetch: async (_url, init = {}) => {
      requests += 1;
      return answer(init);
    },
  });
  const settleWithTimers = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    work.then(end, end);
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!isOver) clock.runNext();
    }
    return work;
  };
  const ask = (method = 'GET') => settleWithTimers(client.fetch('https://api.test/x', { method }));
  return { ask, requests: () => requests };
}

test('keeps its status: what was asked for is missing, the server is not away', async () => {
  const { ask, requests } = openClient(() => new Response(brokenBody(), { status: 200 }));
  const error = await catchRefusal(() => ask());
  assert.is(error.code, 'unreachable');
  assert.equal(error.data, { sent: false, status: 200 });
  assert.is(classifyFailure(error), 'one');
  assert.is(isOfPart(error), true);
  assert.is(requests(), 4, 'a read is repeated');
});

test('of a write may have been carried out, and the write is not repeated', async () => {
  const { ask, requests } = openClient(() => new Response(brokenBody(), { status: 201 }));
  const { data } = await catchRefusal(() => ask('POST'));
  assert.equal(data, { sent: true, status: 201 });
  assert.is(requests(), 1);
});

test('of a refusal leaves the refusal, without its text', async () => {
  const { ask, requests } = openClient(() => new Response(brokenBody(), { status: 404 }));
  const answer = await ask();
  assert.is(answer.status, 404);
  assert.is(await answer.text(), '');
  assert.is(requests(), 1);
});

test('of a refusal that names a limit is waited out', async () => {
  let calls = 0;
  const { ask } = openClient(() => {
    calls += 1;
    const headers = { 'retry-after': '7' };
    return calls === 1 ? new Response(brokenBody(), { status: 429, headers }) : new Response('ok');
  });
  assert.is(await (await ask()).text(), 'ok');
});

test('that comes too slowly is that of a server which does not answer', async () => {
  const { ask } = openClient(({ signal }) => {
    const body = new ReadableStream({
      start: (controller) =>
        signal?.addEventListener('abort', () => controller.error(signal.reason)),
    });
    return new Response(body, { status: 200 });
  });
  const error = await catchRefusal(() => ask());
  assert.equal(error.data, { sent: false });
  assert.is(classifyFailure(error), 'no answer');
});

const FAULTS: readonly [title: string, answer: RequestListener][] = [
  [
    'is said to be packed and is not',
    (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end('not packed');
    },
  ],
  [
    'is cut',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half', () => response.socket?.destroy());
    },
  ],
];
for (const [title, answer] of FAULTS)
  test(`over a real connection: one that ${title}`, async () => {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const limits = { host: 'api.test', clock: systemClock, random: () => 0, perJob: 100, fetch };
    const client = new AccountClient({
      mayAct: mayAlwaysAct,
      ...limits,
      writeGapMs: 0,
      screen: (text) => text,
    });
    try {
      // A write, since reads are repeated with growing waits.
      const write = () => client.fetch(`http://127.0.0.1:${port}/`, { method: 'POST' });
      assert.equal((await catchRefusal(write)).data, { sent: true, status: 200 });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

test.run();
