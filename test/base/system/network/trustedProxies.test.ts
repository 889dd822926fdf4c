import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SvcError } from '../../../../src/base/errors/errors.ts';
import { parseTrustedProxies } from '../../../../src/base/system/network/trustedProxies.ts';

const test = suite('network: trusted proxies');

test('an address and a range are trusted, of IPv4 also as a socket of IPv6 reports it', () => {
  const trusted = parseTrustedProxies('192.0.2.1, 10.0.0.0/8,fd00::/8');
  const all = ['192.0.2.1', '10.200.0.1', '::ffff:10.0.0.1', 'fd12::1'];
  assert.equal(
    all.filter((address) => !trusted.has(address)),
    [],
  );
  for (const other of ['192.0.2.2', '11.0.0.1', 'fe80::1', '', 'proxy.example'])
    assert.is(trusted.has(other), false);
});

test('a list that is too long is refused', () => {
  const list = Array.from({ length: 101 }, (_, n) => `10.0.0.${n}`).join(',');
  assert.throws(
    () => parseTrustedProxies(list),
    (error: unknown) => error instanceof SvcError && error.code === 'bad-argument',
  );
});

test.run();
