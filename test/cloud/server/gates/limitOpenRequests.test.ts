import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import Koa from 'koa';
import { answerProblems } from '../../../../src/api/server/replies/problems.ts';
import {
  limitOpenRequests,
  MOST_OPEN_OF_LOGIN,
} from '../../../../src/cloud/server/gates/limitOpenRequests.ts';
import { waitUntil } from '../../../support/cloud/testTeam.ts';

const test = suite('cloud: requests of a login that are open at the same time');

test('as many as the limit are taken, others get 429 with Retry-After, and one that ends makes room', async () => {
  const responses = new Set<ServerResponse>();
  const koa = new Koa();
  koa.use(
    answerProblems(
      { warn: () => undefined, error: () => undefined, debug: () => undefined },
      (text) => text,
    ),
  );
  koa.use(limitOpenRequests({ readSecret: (ctx) => ctx.get('Authorization') }));
  koa.use(async (ctx) => {
    ctx.status = 200;
    ctx.respond = false;
    ctx.res.flushHeaders();
    responses.add(ctx.res);
  });
  const server = createServer(koa.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const leaving = new AbortController();
  const ask = (login: string) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
      headers: login === '' ? {} : { Authorization: login },
      signal: leaving.signal,
    });
  const replies = await Promise.all(
    Array.from({ length: MOST_OPEN_OF_LOGIN + 20 }, () => ask('Bearer ada')),
  );
  const refused = replies.filter(({ status }) => status === 429);
  assert.is(refused.length, 20);
  assert.equal([...new Set(refused.map(({ headers }) => headers.get('retry-after')))], ['1']);
  const problems = await Promise.all(refused.map((reply) => reply.json()));
  assert.equal([...new Set(problems.map(({ code }) => code))], ['rate-limited']);
  assert.is((await ask('Bearer ben')).status, 200);
  assert.is((await ask('')).status, 200);
  const [first] = responses;
  first?.end();
  await waitUntil(async () => (await ask('Bearer ada')).status === 200);
  leaving.abort();
  server.closeAllConnections();
  server.close();
});

test.run();
