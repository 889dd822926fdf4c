import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findNodeUrl } from '../../../src/cloud/server/findNodeUrl.ts';

const test = suite('cloud: where the other nodes reach a node');

const INTERFACES = {
  lo: [{ address: '127.0.0.1', family: 'IPv4', internal: true }],
  eth0: [
    { address: 'fe80::1', family: 'IPv6', internal: false },
    { address: '10.0.0.7', family: 'IPv4', internal: false },
  ],
};

test('at the address that it listens on (CLD-6)', () => {
  assert.is(findNodeUrl('127.0.0.1', 4000, INTERFACES), 'http://127.0.0.1:4000');
  assert.is(findNodeUrl('db.internal', 4000, INTERFACES), 'http://db.internal:4000');
  assert.is(findNodeUrl('[::1]', 4000, INTERFACES), 'http://[::1]:4000');
});

test('on every address, at the first that other machines can reach', () => {
  assert.is(findNodeUrl('0.0.0.0', 4000, INTERFACES), 'http://10.0.0.7:4000');
  assert.is(findNodeUrl('::', 4000, INTERFACES), 'http://10.0.0.7:4000');
  assert.is(findNodeUrl('0.0.0.0', 4000, { lo: INTERFACES.lo }), 'http://127.0.0.1:4000');
});

test.run();
