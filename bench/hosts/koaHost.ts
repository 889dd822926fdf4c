import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { answerCalls } from '../hostProcess.ts';

/** Bare Koa that sends one text: what any server of ours is measured against. */
let text = '';
const koa = new Koa();
koa.use((ctx) => {
  ctx.body = text;
  ctx.type = 'application/json';
});
const server = createServer(koa.callback()).listen(0, '127.0.0.1');
await once(server, 'listening');

const calls = {
  port: (): number => (server.address() as AddressInfo).port,
  answer(bytes: string): void {
    text = bytes;
  },
};

export type KoaHostCalls = typeof calls;

answerCalls(calls);
