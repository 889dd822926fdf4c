import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkSubscription } from '../../../src/notifications/push/checkSubscription.ts';
import { FakeBrowser } from '../../support/notifications/fakePushService.ts';

const test = suite('notifications: subscriptions of browsers');

const browser = new FakeBrowser('/send/secret', Buffer.alloc(16, 1));
const GOOD = browser.toSubscription('https://push.example.com');

/** Why it is refused; null = it is taken. */
function findRefusal(change: object, allowHosts: string[] = []): string | null {
  try {
    checkSubscription({ ...GOOD, ...change }, allowHosts);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
const findAddressRefusal = (service: string, allowHosts: string[] = []): string | null =>
  findRefusal({ endpoint: `${service}/send/secret` }, allowHosts);

test('a push service on the internet is taken', () => {
  assert.is(findRefusal({}), null);
});

for (const service of [
  'http://push.example.com',
  'ftp://push.example.com',
  'https://user:name@push.example.com',
  'https://127.0.0.1',
  'https://[::1]',
  'https://[::ffff:10.0.0.1]',
  'https://10.1.2.3',
  'https://0x7f000001',
  'https://169.254.169.254',
  'https://224.0.0.1',
  'https://localhost',
  'https://printer',
  'https://db.internal',
  'http://127.0.0.1:9000',
])
  test(`${service} is refused, and the address is not repeated`, () => {
    const refusal = findAddressRefusal(service);
    assert.type(refusal, 'string');
    assert.not.match(refusal ?? '', 'secret');
  });

test('what is no address at all is refused', () => {
  assert.type(findRefusal({ endpoint: 'push' }), 'string');
});

test('a host that the channel names is taken, without TLS only on this machine', () => {
  assert.is(findAddressRefusal('https://push.lan', ['push.lan']), null);
  assert.is(findAddressRefusal('http://127.0.0.1:9000', ['127.0.0.1']), null);
  assert.type(findAddressRefusal('http://push.lan', ['push.lan']), 'string');
});

test('keys that no browser makes are refused', () => {
  const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url');
  assert.match(findRefusal({ keys: { ...GOOD.keys, p256dh } }) ?? '', 'p256dh');
  assert.match(findRefusal({ keys: { ...GOOD.keys, auth: 'AAAA' } }) ?? '', 'auth');
});

test.run();
