import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import webPush from 'web-push';
import type { Channel } from '../../../src/notifications/channels/channel.ts';
import { createWebPushChannel } from '../../../src/notifications/channels/webPushChannel.ts';
import type { PushMessage } from '../../../src/contract/schema/runner/pushMessage.ts';
import {
  FakeBrowser,
  FakePushService,
  PUSH_LIMITED,
} from '../../support/notifications/fakePushService.ts';
import {
  makeItem,
  makeLargestMessage,
  makeMessage,
} from '../../support/notifications/makeMessage.ts';

const test = suite('notifications: web push');

const KEYS = webPush.generateVAPIDKeys();
const { signal } = new AbortController();

async function withService(
  use: (service: FakePushService, channel: Channel) => Promise<void>,
  { keys = KEYS, allowHosts = ['127.0.0.1'] } = {},
): Promise<void> {
  const service = await new FakePushService().start();
  const browser = new FakeBrowser('/send/abc', Buffer.alloc(16, 7));
  service.addBrowser(browser, KEYS.publicKey);
  const { endpoint, keys: own, label } = browser.toSubscription(service.url);
  const row = { id: 'b1', channel: 'push', endpoint, ...own, label, created_at: 0 };
  const channel = createWebPushChannel({
    subscription: () => row,
    keys: async () => keys,
    contact: 'mailto:ana@example.com',
    allowHosts,
    now: () => 0,
  });
  try {
    await use(service, channel);
  } finally {
    service.stop();
  }
}

const readPush = ({ taken }: FakePushService): PushMessage[] =>
  taken.map(({ text }) => JSON.parse(text));

test('a message is encrypted for the browser, and opens its item (RFC 8291)', () =>
  withService(async (service, channel) => {
    const outcome = await channel.send(makeMessage(), signal);
    assert.equal(outcome, { is: 'delivered', handle: 'job/j1' });
    assert.equal(readPush(service), [
      {
        title: 'Failed: Fix the <cart> & *total*',
        body: 'Fix the <cart> & *total*\nacme/shop\nThe agent ended with code 1.\nError: 3 tests failed',
        tag: 'job/j1',
        hash: '#/inbox',
        at: Date.parse('2026-06-10T12:00:00.000Z'),
        silent: false,
      },
    ]);
  }));

test('its token names service, end and contact (RFC 8292)', () =>
  withService(async (service, channel) => {
    await channel.send(makeMessage(), signal);
    const { claims } = service.taken[0] ?? {};
    assert.is(claims?.aud, service.url);
    assert.is(claims?.sub, 'mailto:ana@example.com');
  }));

test('a service that knows another key refuses it', () =>
  withService(
    async (service, channel) => {
      const outcome = await channel.send(makeMessage(), signal);
      assert.is(outcome.is === 'refused' && outcome.final, false);
      assert.equal(service.taken, []);
    },
    { keys: webPush.generateVAPIDKeys() },
  ));

test('the largest message is taken', () =>
  withService(async (service, channel) => {
    assert.is((await channel.send(makeLargestMessage(), signal)).is, 'delivered');
    assert.is(readPush(service)[0]?.tag, 'inbox');
  }));

test('a message with one item as large as any is taken', () =>
  withService(async (_service, channel) => {
    const item = makeItem({ title: '€'.repeat(200), why: '€'.repeat(500) });
    assert.is((await channel.send(makeMessage([item]), signal)).is, 'delivered');
  }));

test('messages about one job have one topic, those about others another one', () =>
  withService(async (service, channel) => {
    const { job } = makeItem();
    const other = makeItem({ job: job && { ...job, id: 'j2' } });
    for (const message of [makeMessage(), makeMessage(), makeMessage([other])])
      await channel.send(message, signal);
    const topics = service.taken.map(({ headers }) => headers.topic);
    assert.is(topics[0], topics[1]);
    assert.is.not(topics[0], topics[2]);
  }));

test('what was settled replaces its message without a sound', () =>
  withService(async (service, channel) => {
    const message = makeMessage([makeItem({ resolved: true })]);
    assert.is((await channel.update?.(message, 'job/j1', signal))?.is, 'delivered');
    const [pushed] = readPush(service);
    assert.equal([pushed?.tag, pushed?.silent], ['job/j1', true]);
    assert.match(pushed?.title ?? '', /^Settled: /);
  }));

test('a message about several jobs stays while one of them asks', () =>
  withService(async (service, channel) => {
    const message = makeMessage([makeItem({ resolved: true }), makeItem()]);
    assert.is((await channel.update?.(message, 'inbox', signal))?.is, 'delivered');
    assert.equal(service.taken, []);
  }));

for (const status of [404, 410])
  test(`a subscription that is answered with ${status} is gone`, () =>
    withService(async (service, channel) => {
      service.refuse.push({ status });
      assert.is((await channel.send(makeMessage(), signal)).is, 'gone');
    }));

test('a service that says when to come again is asked then', () =>
  withService(async (service, channel) => {
    service.refuse.push(PUSH_LIMITED);
    const outcome = await channel.send(makeMessage(), signal);
    assert.equal(outcome, {
      is: 'refused',
      problem: 'answered 429: Too Many Requests',
      final: false,
      retryAfterMs: 120_000,
    });
  }));

test('whether a service that fails has taken a message is unknown', () =>
  withService(async (service, channel) => {
    service.refuse.push({ status: 500 });
    assert.is((await channel.send(makeMessage(), signal)).is, 'uncertain');
  }));

test('a redirect is not followed', () =>
  withService(async (service, channel) => {
    service.refuse.push({ status: 307, headers: { location: `${service.url}/send/abc` } });
    assert.is((await channel.send(makeMessage(), signal)).is, 'refused');
    assert.equal(service.taken, []);
  }));

test('an answer that repeats the address does not reach the problem', () =>
  withService(async (service, channel) => {
    service.refuse.push({ status: 403, body: `no ${service.url}/send/abc` });
    const outcome = await channel.send(makeMessage(), signal);
    assert.is('problem' in outcome && outcome.problem.includes('/send/abc'), false);
  }));

test('an address in the own network is not asked unless the channel names it', () =>
  withService(
    async (service, channel) => {
      const outcome = await channel.send(makeMessage(), signal);
      assert.is(outcome.is, 'refused');
      assert.equal(service.taken, []);
    },
    { allowHosts: [] },
  ));

test.run();
