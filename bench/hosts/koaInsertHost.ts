import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import postgres from 'postgres';
import { readDatabaseUrl } from '../../src/cloud/database/readDatabaseUrl.ts';
import { answerCalls } from '../hostProcess.ts';

/** Connections to the database: as many as a node of the control plane has. */
const CONNECTIONS = 10;

/** Bare Koa that verifies the HMAC of a request and inserts it: the base for the ingress of a control plane. */
const [secret = '', database = ''] = process.argv.slice(2);
const { url, path } = readDatabaseUrl(database);
const sql = postgres(url, { max: CONNECTIONS, ...(path === null ? {} : { path }) });
await sql`create table bench_deliveries (id text primary key, body bytea not null, at timestamptz not null)`;

const koa = new Koa();
koa.use(async (ctx) => {
  const parts: Buffer[] = [];
  for await (const part of ctx.req) parts.push(part);
  const body = Buffer.concat(parts);
  const expected = createHmac('sha256', secret).update(body).digest();
  const signature = Buffer.from(
    String(ctx.headers['x-hub-signature-256']).slice('sha256='.length),
    'hex',
  );
  const isGenuine = signature.length === expected.length && timingSafeEqual(signature, expected);
  if (isGenuine)
    await sql`insert into bench_deliveries values (${String(ctx.headers['x-github-delivery'])}, ${body}, ${new Date()})`;
  ctx.status = isGenuine ? 202 : 401;
  ctx.body = '{"accepted":true,"duplicate":false}';
  ctx.type = 'application/json';
});
const server = createServer(koa.callback()).listen(0, '127.0.0.1');
await once(server, 'listening');

const calls = { port: (): number => (server.address() as AddressInfo).port };

export type KoaInsertHostCalls = typeof calls;

answerCalls(calls);
