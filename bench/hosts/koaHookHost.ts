import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { answerCalls } from '../hostProcess.ts';

/** Bare Koa that verifies the HMAC of a request and keeps nothing: the base for webhooks. */
const secret = process.argv[2] ?? '';
const koa = new Koa();
koa.use(async (ctx) => {
  const parts: Buffer[] = [];
  for await (const part of ctx.req) parts.push(part);
  const expected = createHmac('sha256', secret).update(Buffer.concat(parts)).digest();
  const signature = Buffer.from(
    String(ctx.headers['x-hub-signature-256']).slice('sha256='.length),
    'hex',
  );
  ctx.status =
    signature.length === expected.length && timingSafeEqual(signature, expected) ? 202 : 401;
  ctx.body = '{"accepted":true,"duplicate":false}';
  ctx.type = 'application/json';
});
const server = createServer(koa.callback()).listen(0, '127.0.0.1');
await once(server, 'listening');

const calls = { port: (): number => (server.address() as AddressInfo).port };

export type KoaHookHostCalls = typeof calls;

answerCalls(calls);
