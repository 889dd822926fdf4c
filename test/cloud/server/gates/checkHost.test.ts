import { request } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Database } from '../../../../src/cloud/database/database.ts';
import { serveRoutes, toRoute } from '../../../support/cloud/serveRoutes.ts';

const test = suite('cloud: requests that a browser makes for another site');

const NO_DATABASE = {} as Database;

/** `fetch` may not set these headers. */
const send = (url: string, path: string, headers: Record<string, string>): Promise<number> =>
  new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers, agent: false }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

const serveHost = () =>
  serveRoutes(NO_DATABASE, [toRoute('/health'), toRoute('/open')], () => ({}), {
    publicUrl: 'https://svc.example.com',
  });

test('the public address and loopback are served, another name is not (CLD-1)', async () => {
  const { url, close } = await serveHost();
  assert.is(await send(url, '/open', { Host: 'svc.example.com' }), 200);
  assert.is(await send(url, '/open', { Host: 'localhost:4000' }), 200);
  assert.is(await send(url, '/open', { Host: 'evil.example.com' }), 403);
  await close();
});

test('monitors ask for health under any name', async () => {
  const { url, close } = await serveHost();
  assert.is(await send(url, '/health', { Host: '10.0.0.7:4000' }), 200);
  await close();
});

test('a page of another origin gets nothing, a link to the control plane opens it', async () => {
  const { url, close } = await serveHost();
  const host = { Host: 'svc.example.com' };
  assert.is(await send(url, '/open', { ...host, Origin: 'https://svc.example.com' }), 200);
  assert.is(await send(url, '/open', { ...host, Origin: 'https://evil.example.com' }), 403);
  assert.is(await send(url, '/open', { ...host, Origin: 'http://svc.example.com' }), 403);
  const cross = { ...host, 'Sec-Fetch-Site': 'cross-site' };
  assert.is(await send(url, '/open', { ...cross, 'Sec-Fetch-Mode': 'cors' }), 403);
  assert.is(await send(url, '/open', { ...cross, 'Sec-Fetch-Mode': 'navigate' }), 200);
  await close();
});

test.run();
