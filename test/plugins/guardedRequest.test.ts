import type { lookup } from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isInner } from '../../src/base/system/network/innerAddresses.ts';
import { createGuardedRequest } from '../../src/plugins/guardedRequest.ts';
import { catchRefusal } from '../support/refusal.ts';

const test = suite('plugins guarded request');

/** A server on loopback that must not be reached; `seen` counts the requests that did. */
class Trap {
  seen: string[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.seen.push(request.url ?? '');
    if (request.url === '/away') response.writeHead(302, { Location: 'http://169.254.169.254/' });
    response.end('inside');
  });

  async open(): Promise<number> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening));
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((closed) => this.#server.close(closed));
  }
}

/** A DNS that answers each name with the same addresses. */
const createDns = (...addresses: string[]) =>
  ((_name: string, _options: object, callback: (error: null, addresses: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as typeof lookup;

test('addresses of this machine and its network are not asked, however they are written (HTTP-6)', async () => {
  await using trap = new Trap();
  const port = await trap.open();
  const request = createGuardedRequest('sample', []);
  const hosts = [
    '127.0.0.1',
    '[::1]',
    'localhost',
    '0.0.0.0',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '169.254.169.254',
    '10.0.0.1',
  ];
  for (const host of hosts) {
    assert.is(
      (await catchRefusal(() => request(`http://${host}:${port}/`))).code,
      'forbidden',
      host,
    );
  }
  assert.equal(trap.seen, []);
});

test('a refusal names the plugin and the command that allows the host, with those it may reach', async () => {
  const request = createGuardedRequest('minihub', ['git.example']);
  const { message } = await catchRefusal(() => request('http://127.0.0.1:4780/user'));
  assert.is(
    message,
    `127.0.0.1 is an address of this machine or its network, and minihub may not reach it. Allow it: svc config set plugins.installed.minihub.allowHosts '["git.example","127.0.0.1"]'`,
  );
});

test('an entry with a port allows nothing: the refusal says why and replaces it', async () => {
  const request = createGuardedRequest('minihub', ['git.example', '127.0.0.1:4780']);
  const { message } = await catchRefusal(() => request('http://127.0.0.1:4780/user'));
  assert.match(message, 'allowHosts has 127.0.0.1:4780, but takes hosts without a port.');
  assert.match(message, `allowHosts '["git.example","127.0.0.1"]'`);
});

test('a name that stands for an inner address is refused when it is connected to, also beside an outer one', async () => {
  await using trap = new Trap();
  const port = await trap.open();
  for (const addresses of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['fd00::1']]) {
    const request = createGuardedRequest('sample', [], createDns(...addresses));
    assert.is(
      (await catchRefusal(() => request(`http://rebind.example:${port}/`))).code,
      'forbidden',
      addresses.join(),
    );
  }
  assert.equal(trap.seen, []);
});

test('a host that the configuration names is asked; a redirect is an answer and not followed', async () => {
  await using trap = new Trap();
  const port = await trap.open();
  const request = createGuardedRequest('sample', ['model.example'], createDns('127.0.0.1'));
  assert.equal(await request(`http://model.example:${port}/health`), {
    status: 200,
    text: 'inside',
  });
  assert.equal(await request(`http://model.example:${port}/away`), { status: 302, text: 'inside' });
  assert.is((await catchRefusal(() => request(`http://other.example:${port}/`))).code, 'forbidden');
  assert.equal(trap.seen, ['/health', '/away']);
});

test('other schemes, names in the address and hosts that do not answer give different errors', async () => {
  const request = createGuardedRequest('sample', ['127.0.0.1']);
  for (const url of [
    'file:///etc/passwd',
    'ftp://x/',
    'http://user:pass@example.com/',
    'nonsense',
  ]) {
    assert.is((await catchRefusal(() => request(url))).code, 'bad-argument', url);
  }
  assert.is((await catchRefusal(() => request('http://127.0.0.1:1/'))).code, 'unreachable');
});

test('outer addresses are outer', () => {
  assert.equal(['93.184.216.34', '8.8.8.8', '2606:4700::1111', '172.32.0.1'].filter(isInner), []);
});

test.run();
