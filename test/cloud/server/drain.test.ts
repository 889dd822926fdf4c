import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createDeferred } from '../../../src/base/concurrency/createDeferred.ts';
import type { Database } from '../../../src/cloud/database/database.ts';
import { openTestDatabase, defineDatabaseTests } from '../../support/cloud/openTestDatabase.ts';
import { serveRoutes, toRoute } from '../../support/cloud/serveRoutes.ts';
import { startTestControlPlane } from '../../support/cloud/startTestControlPlane.ts';

// Runs in a process of its own: the work of others moves the moment in which it closes connections.
const test = suite('cloud: a node stops');
const dbTest = defineDatabaseTests(test);

const NO_DATABASE = {} as Database;

test('a running request is answered, and the port is free after it (CLD-6)', async () => {
  const start = createDeferred<void>();
  const answer = createDeferred<object>();
  const { ask, close, requests, url } = await serveRoutes(NO_DATABASE, [toRoute('/slow')], () => {
    start.resolve();
    return answer.promise;
  });
  const reply = ask('/slow');
  await start.promise;
  const closed = close();
  assert.is(requests.isDraining, true);
  answer.resolve({ done: true });
  assert.equal(await (await reply).json(), { done: true });
  await closed;
  const [error] = await once(connect(Number(new URL(url).port), '127.0.0.1'), 'error').catch(
    (refused: unknown) => [refused],
  );
  assert.is(error.code, 'ECONNREFUSED');
});

test('a request on a connection that is kept open is refused, and may go to another node', async () => {
  const start = createDeferred<void>();
  const answer = createDeferred<object>();
  const { url, close } = await serveRoutes(
    NO_DATABASE,
    [toRoute('/slow'), toRoute('/quick')],
    ({ path }) => {
      if (path === '/quick') return {};
      start.resolve();
      return answer.promise;
    },
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (path: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      request(`${url}${path}`, { agent }, (reply) => {
        let text = '';
        reply.on('data', (piece) => {
          text += piece;
        });
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }));
      })
        .on('error', reject)
        .end();
    });
  const slow = send('/slow');
  await start.promise;
  // On the same connection, after the first one.
  const late = send('/quick');
  const closed = close();
  answer.resolve({});
  assert.is((await slow).status, 200);
  const refused = await late.catch((error) => error);
  // Its connection may have been closed before it was sent.
  if ('status' in refused) {
    assert.is(refused.status, 503);
    assert.is(JSON.parse(refused.text).code, 'stopping');
  } else assert.match(refused.code, /^(?:ECONNREFUSED|ECONNRESET)$/);
  await closed;
  agent.destroy();
});

dbTest('its lease is in the table while it runs, and no longer (CLD-6)', async () => {
  const database = await openTestDatabase();
  const [one, two] = await Promise.all([
    startTestControlPlane({ databaseUrl: database.url }),
    startTestControlPlane({ databaseUrl: database.url, nodeUrl: 'http://10.0.0.2:4000' }),
  ]);
  const read = async () =>
    Object.fromEntries(
      (await database.sql`select id, address from nodes`).map(({ id, address }) => [id, address]),
    );
  assert.equal(await read(), { [one.nodeId]: one.url, [two.nodeId]: 'http://10.0.0.2:4000' });
  await one.stop();
  assert.equal(await read(), { [two.nodeId]: 'http://10.0.0.2:4000' });
  await two.stop();
  assert.equal(await read(), {});
  await database.close();
});

test.run();
