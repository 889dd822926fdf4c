import { once } from 'node:events';
import Koa from 'koa';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../src/base/errors/errors.ts';
import { toDatabaseFault } from '../../../src/cloud/database/databaseFaults.ts';
import { answerAuth } from '../../../src/cloud/people/pages/answerAuth.ts';
import type { PageEnv } from '../../../src/cloud/people/pages/pageEnv.ts';

const test = suite('cloud: the addresses below /auth');

test('a database that is away before the authorization server answers is a 503, no broken connection (CLD-2)', async () => {
  const starting = Object.assign(new Error('the database system is starting up'), {
    name: 'PostgresError',
    code: '57P03',
  });
  // Nothing else of it is used.
  const env: PageEnv = Object.assign(Object.create(null), {
    issuer: { answer: () => Promise.reject(starting) },
  });
  const koa = new Koa();
  koa.use(async (ctx, next) => {
    await next().catch((thrown: unknown) => {
      const error = toDatabaseFault(thrown);
      ctx.status = error instanceof SvcError ? error.status : 500;
      ctx.body = '';
    });
  });
  koa.use(answerAuth(env));
  const server = koa.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const answer = await fetch(`http://127.0.0.1:${port}/auth/token`, { method: 'POST' });
  assert.is(answer.status, 503);
  server.close();
});

test.run();
