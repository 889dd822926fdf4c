import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSignedReader } from '../../../src/providers/hooks/createSignedReader.ts';
import { catchRefusal } from '../../support/refusal.ts';

const test = suite('webhooks: what a delivery lacks');

const read = createSignedReader({
  id: 'hub',
  signature: () => ({
    algorithm: 'sha256',
    header: 'X-Hub-Signature',
    format: 'hex',
    timestampField: 'sentAt',
  }),
  idHeaders: [],
  read: () => ({ subject: null, event: null }),
})('secret');

const verifyDelivery = async (body: object, headers?: Record<string, string>) => {
  const rawBody = Buffer.from(JSON.stringify(body));
  const signature = createHmac('sha256', 'secret').update(rawBody).digest('hex');
  const delivery = { rawBody, headers: headers ?? { 'x-hub-signature': signature }, receivedAt: 0 };
  return (await catchRefusal(() => read(delivery))).message;
};

test('one without the header of the signature: the answer names the header and the setting', async () => {
  assert.is(
    await verifyDelivery({ sentAt: 0 }, { 'x-signature': 'x' }),
    'The delivery is not signed: it has no header X-Hub-Signature, or two. Give the sender the secret plugins.installed.hub.config.webhookSecret.',
  );
});

test('one with another signature was signed with another secret', async () => {
  assert.match(
    await verifyDelivery({ sentAt: 0 }, { 'x-hub-signature': 'ab' }),
    /^The delivery was not signed with the secret plugins\.installed\.hub/,
  );
});

test('one without the time of sending: the answer names the member of the body', async () => {
  assert.is(
    await verifyDelivery({}),
    'The delivery has no number sentAt in its body: the time of sending, epoch ms.',
  );
});

test('one whose time is not near ours is not current', async () => {
  assert.match(
    await verifyDelivery({ sentAt: 3_600_000 }),
    /^The timestamp of the delivery is not current/,
  );
});

test('one of Standard Webhooks: the answer says how the secret is written', async () => {
  const standard = createSignedReader({
    id: 'hub',
    signature: () => ({ algorithm: 'sha256', header: 'Webhook-Signature', format: 'standard' }),
    idHeaders: [],
    read: () => ({ subject: null, event: null }),
  })('c2VjcmV0');
  const rawBody = Buffer.from('{}');
  // Signed with the text of the secret, where what it decodes to is the key.
  const signed = createHmac('sha256', 'c2VjcmV0').update('1.0.{}').digest('base64');
  const headers = {
    'webhook-id': '1',
    'webhook-timestamp': '0',
    'webhook-signature': `v1,${signed}`,
  };
  const { message } = await catchRefusal(async () => standard({ rawBody, headers, receivedAt: 0 }));
  assert.match(
    message,
    /webhookSecret, which is base64 in this format: the key is what it decodes/,
  );
});

test.run();
