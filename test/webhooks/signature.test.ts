import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { verifyWebhook } from '../../src/webhooks/signature.ts';
import type { WebhookManifest } from '../../src/schema/plugin.ts';

const test = suite('plugins webhook');

const SECRET = 'it is a secret';
const BODY = Buffer.from('{"action":"opened","text":"ä"}');
const hmac = (algorithm: 'sha256' | 'sha512', encoding: 'hex' | 'base64') =>
  createHmac(algorithm, SECRET).update(BODY).digest(encoding);

const webhook = (more: Partial<WebhookManifest> = {}): WebhookManifest => ({
  algorithm: 'sha256',
  header: 'X-Hub-Signature-256',
  format: 'prefixed-hex',
  ...more,
});
const verify = (signature: string | string[] | undefined, how = webhook(), body: Uint8Array = BODY, secret = SECRET) =>
  verifyWebhook(how, { headers: { 'x-hub-signature-256': signature }, rawBody: body }, secret);

test('a delivery signed with the secret passes, in each format (CLD-4)', () => {
  assert.ok(verify(`sha256=${hmac('sha256', 'hex')}`));
  assert.ok(verify(hmac('sha256', 'hex').toUpperCase(), webhook({ format: 'hex' })));
  assert.ok(verify(hmac('sha256', 'base64'), webhook({ format: 'base64' })));
  assert.ok(verify(`sha512=${hmac('sha512', 'hex')}`, webhook({ algorithm: 'sha512' })));
});

test("GitHub's documented example passes", () => {
  const example = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  assert.ok(verify(example, webhook(), Buffer.from('Hello, World!'), "It's a Secret to Everybody"));
});

test('nothing else passes: another body, secret, algorithm, form, no header or two (CLD-4)', () => {
  const good = `sha256=${hmac('sha256', 'hex')}`;
  assert.not(verify(good, webhook(), Buffer.concat([BODY, Buffer.from(' ')])));
  assert.not(verify(good, webhook(), BODY, 'another secret'));
  assert.not(verify(good, webhook({ algorithm: 'sha512' })));
  assert.not(verify(`sha1=${good.slice(7)}`));
  assert.not(verify(good.slice(7)));
  assert.not(verify(good, webhook({ format: 'hex' })));
  assert.not(verify(good.slice(0, -2)));
  assert.not(verify(`${good}00`));
  assert.not(verify(hmac('sha256', 'base64').replace(/=$/, ''), webhook({ format: 'base64' })));
  assert.not(verify(''));
  assert.not(verify(undefined));
  assert.not(verify([good, good]));
  const twice = { 'X-Hub-Signature-256': good, 'x-hub-signature-256': good };
  assert.not(verifyWebhook(webhook(), { headers: twice, rawBody: BODY }, SECRET));
});

test('an empty secret signs nothing: everybody could', () => {
  const forged = `sha256=${createHmac('sha256', '').update(BODY).digest('hex')}`;
  assert.not(verify(forged, webhook(), BODY, ''));
});

test.run();
