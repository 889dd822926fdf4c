import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openModelServer } from '../../../../demo/model/server.ts';
import { fetchWithoutRedirects } from '../../../../src/base/system/network/fetchWithoutRedirects.ts';
import { builtinSubject } from '../../../support/agents/executorContract/builtinSubject.ts';
import { openStage } from '../../../support/agents/executorContract/stage.ts';

const test = suite('builtin plain fetch');

/** Collects everything unreferenced, as happens at any time in a long session. */
const collect = async () => {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  for (let round = 0; round < 10; round += 1) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

const hanging = {
  work: [{ say: 'A long answer, of which only the beginning comes.', hang: 'midway' as const }],
};
const requestBody = { model: 'm', stream: true, messages: [{ role: 'user', content: '@@work' }] };
const init = (more: RequestInit = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(requestBody),
  ...more,
});

test('an abort is heard in the middle of an answer, also after the collector has run', async () => {
  await using server = await openModelServer({ scripts: hanging });
  const stop = new AbortController();
  const begin = async () => {
    const response = await fetchWithoutRedirects(
      `${server.url}/v1/messages`,
      init({ signal: AbortSignal.any([stop.signal]) }),
    );
    const reader = response.body?.getReader();
    await reader?.read();
    return reader;
  };
  const reader = await begin();
  await collect();
  stop.abort();
  assert.is(
    (await server.requests.until(({ outcome }) => outcome !== null)).outcome,
    'disconnected',
  );
  const rest = async () => {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read());
    return 'ended';
  };
  assert.is.not(
    await rest().catch(() => 'broken'),
    'ended',
    'an answer that broke off is no whole one',
  );
});

test('an interrupt of a session is heard after the collector has run (STR-3)', async () => {
  await using stage = await openStage(builtinSubject('anthropic'), {
    work: [{ calls: [{ shell: 'true' }] }, ...hanging.work],
  });
  const { session, steering } = await stage.start();
  await stage.until(({ type }) => type === 'token');
  await collect();
  assert.is(await steering.interrupt(5_000), true);
  steering.close();
  assert.is((await session.result).stopReason, 'interrupted');
});

test('a whole answer comes with status and headers, a cancelled one closes the connection', async () => {
  await using server = await openModelServer({
    scripts: { ...hanging, no: [{ fail: { status: 529, retryAfter: '7' } }] },
  });
  const models = await fetchWithoutRedirects(new URL(`${server.url}/v1/models`));
  assert.equal(models.status, 200);
  assert.equal(models.headers.get('content-type'), 'application/json');
  assert.is(typeof (await models.json()).data, 'object');
  const body = JSON.stringify({ ...requestBody, messages: [{ role: 'user', content: '@@no' }] });
  const failed = await fetchWithoutRedirects(`${server.url}/v1/messages`, init({ body }));
  assert.equal(failed.status, 529);
  assert.equal(failed.headers.get('retry-after'), '7');
  const cancelled = await fetchWithoutRedirects(`${server.url}/v1/messages`, init());
  await cancelled.body?.cancel();
  assert.is(
    (await server.requests.until(({ outcome }) => outcome === 'disconnected')).script,
    'work',
  );
  const refused = await fetchWithoutRedirects('http://127.0.0.1:1/').catch(
    (error: unknown) => error,
  );
  assert.match(String(refused), 'ECONNREFUSED');
  const early = await fetchWithoutRedirects(`${server.url}/v1/models`, {
    signal: AbortSignal.abort(),
  }).catch((error: unknown) => error);
  assert.match(String(early), 'AbortError');
});

test('an abort at any moment is a rejection or a whole answer, and never the end of the process', async () => {
  await using server = await openModelServer({
    scripts: { work: [{ say: 'A short answer in a few pieces, and then it is over.' }] },
  });
  const outcomes = new Set<string>();
  for (let round = 0; round < 60; round += 1) {
    const stop = new AbortController();
    // Every sixth is left to its end, which a slow machine does not reach within these ms.
    const after = round % 6;
    const timer = after === 0 ? undefined : setTimeout(() => stop.abort(), after - 1);
    const outcome = await fetchWithoutRedirects(
      `${server.url}/v1/messages`,
      init({ signal: stop.signal }),
    )
      .then((response) => response.text())
      .then(
        () => 'whole',
        () => 'rejected',
      );
    // After the answer too: the connection has been given back by then.
    if (round % 2 === 0) stop.abort();
    clearTimeout(timer);
    outcomes.add(outcome);
  }
  assert.ok(outcomes.has('whole'));
});

test('a connection that a request wants closed is not used again, whatever the answer says', async () => {
  const errors: string[] = [];
  // As an event stream of the MCP SDK is answered.
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'keep-alive' });
      response.end('data: x\n\n');
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    errors.push(error.code ?? error.message);
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const statuses: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const response = await fetchWithoutRedirects(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { connection: 'close' },
      body: '{}',
    });
    await response.text();
    statuses.push(response.status);
  }
  server.close();
  assert.equal(statuses, [200, 200, 200, 200]);
  assert.equal(errors, []);
});

test.run();
