import { Webhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createWebhookChannel } from '../../../src/notifications/channels/webhookChannel.ts';
import { FakeReceiver } from '../../support/notifications/fakeReceiver.ts';
import { makeMessage } from '../../support/notifications/makeMessage.ts';

const test = suite('notifications: webhook');

const SECRET = `whsec_${Buffer.from('a key of at least twenty-four bytes').toString('base64')}`;
const { signal } = new AbortController();

/** A receiver that verifies messages with the library of Standard Webhooks. */
const createReceiver = () => {
  const verifier = new Webhook(SECRET);
  return new FakeReceiver(({ headers, text }) => {
    try {
      verifier.verify(text, headers as Record<string, string>);
      return { status: 204 };
    } catch (error) {
      return { status: 401, body: String(error) };
    }
  });
};

test('a message is signed as Standard Webhooks asks for, and has its id in every attempt', async () => {
  const receiver = await createReceiver().start();
  const open = (secret: string) =>
    createWebhookChannel({ url: receiver.url, secret, now: () => Date.now() });
  try {
    receiver.refuse.push({ status: 503, headers: { 'retry-after': '5' } });
    const first = await open(SECRET).send(makeMessage(), signal);
    assert.equal(first.is === 'refused' && first.retryAfterMs, 5_000);
    assert.equal(await open(SECRET).send(makeMessage(), signal), { is: 'delivered' });
    const [delivery] = receiver.accepted;
    assert.is(delivery?.headers['webhook-id'], 'msg_1');
    assert.equal(delivery?.json?.type, 'svc.notification');
    const { items: _items, ...data } = Object(delivery?.json?.data);
    assert.equal(data, {
      id: 'msg_1',
      title: makeMessage().title,
      url: makeMessage().url,
    });
    const other = await open(`whsec_${'A'.repeat(40)}`).send(makeMessage(), signal);
    assert.is(other.is, 'refused');
  } finally {
    receiver.stop();
  }
});

test('an error of its receiver never ends the attempts', async () => {
  const receiver = await createReceiver().start();
  const channel = createWebhookChannel({ url: receiver.url, secret: SECRET, now: Date.now });
  try {
    for (const status of [400, 422, 500]) {
      receiver.refuse.push({ status });
      const outcome = await channel.send(makeMessage(), signal);
      assert.not.ok(outcome.is === 'refused' && outcome.final, String(status));
    }
    assert.ok(channel.repeats);
  } finally {
    receiver.stop();
  }
});

test.run();
