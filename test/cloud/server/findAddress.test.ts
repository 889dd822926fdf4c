import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Context } from 'koa';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseTrustedProxies } from '../../../src/base/system/network/trustedProxies.ts';
import { findAddress, keepAddress } from '../../../src/cloud/server/findAddress.ts';

const test = suite('cloud: the address of a client');

const PROXIES = '127.0.0.1,10.0.0.0/8,::1';

/** What counts as the address of a request that comes from `peer` with this X-Forwarded-For. */
async function find(peer: string, forwarded?: string, trusted: string | null = PROXIES) {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  const req = new IncomingMessage(socket);
  if (forwarded !== undefined) req.headers['x-forwarded-for'] = forwarded;
  const gate = keepAddress(trusted === null ? null : parseTrustedProxies(trusted));
  await gate({ req } as Context, async () => undefined);
  return findAddress(req);
}

test('without trusted proxies the header is ignored, also from this machine', async () => {
  assert.is(await find('127.0.0.1', '192.0.2.1', null), '127.0.0.1');
  assert.is(await find('::ffff:127.0.0.1', '192.0.2.1', null), '127.0.0.1');
});

test('a trusted proxy names its client', async () => {
  assert.is(await find('127.0.0.1', '192.0.2.1'), '192.0.2.1');
  assert.is(await find('::ffff:127.0.0.1', '2001:db8::7'), '2001:db8::7');
  assert.is(await find('127.0.0.1', '192.0.2.1:4711'), '192.0.2.1');
  assert.is(await find('::1', '[2001:db8::7]:4711'), '2001:db8::7');
});

test('trusted proxies in a chain are passed over, and what the client wrote counts for nothing', async () => {
  assert.is(await find('127.0.0.1', '198.51.100.9, 192.0.2.1, 10.1.1.1'), '192.0.2.1');
  assert.is(await find('127.0.0.1', '10.9.9.9, 192.0.2.1'), '192.0.2.1');
});

test('any other client is known by its own address', async () => {
  assert.is(await find('192.0.2.9', '198.51.100.9'), '192.0.2.9');
});

test('a header without an address leaves the last address that is known', async () => {
  assert.is(await find('127.0.0.1'), '127.0.0.1');
  assert.is(await find('127.0.0.1', 'unknown'), '127.0.0.1');
  assert.is(await find('127.0.0.1', '192.0.2.1, <script>, 10.1.1.1'), '10.1.1.1');
});

test.run();
