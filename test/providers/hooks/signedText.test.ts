import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { WebhookManifest } from '../../../src/contract/schema/runner/plugin.ts';
import { verifyWebhook } from '../../../src/providers/hooks/signature.ts';
import { explainWebhookFault } from '../../../src/providers/hooks/signedText.ts';
import { SLACK, STANDARD_WEBHOOKS, STRIPE_LIKE } from '../../support/forges/signedSenders.ts';

const test = suite('webhooks: what is signed');

const verify = (
  webhook: WebhookManifest,
  headers: Record<string, string>,
  { body, secret, at }: { body: string; secret: string; at: number },
) => verifyWebhook(webhook, { headers, rawBody: Buffer.from(body), receivedAt: at * 1000 }, secret);

test("the request of Slack's documentation passes (CLD-4)", () => {
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
  const request = { body, secret: '8f742231b10e8888abcd99yyyzzz85a5', at: 1531420618 };
  const headers = {
    'X-Slack-Request-Timestamp': '1531420618',
    'X-Slack-Signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  };
  assert.ok(verify(SLACK, headers, request));
  assert.not(verify(SLACK, headers, { ...request, at: request.at + 301 }));
  assert.not(verify(SLACK, { ...headers, 'X-Slack-Request-Timestamp': '1531420619' }, request));
});

test('the request of the Standard Webhooks libraries passes (CLD-4)', () => {
  const request = {
    body: '{"test": 2432232314}',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    at: 1614265330,
  };
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  assert.ok(verify(STANDARD_WEBHOOKS, headers, request));
  assert.not(verify(STANDARD_WEBHOOKS, { ...headers, 'webhook-id': 'msg_other' }, request));
});

test('a list of pairs passes with one good signature among several, such as while a secret is changed (CLD-4)', () => {
  const request = { body: '{"id":"evt_1"}', secret: 'whsec_of_stripe', at: 1492774577 };
  const good = createHmac('sha256', request.secret)
    .update(`1492774577.${request.body}`)
    .digest('hex');
  const bad = 'f'.repeat(64);
  const verifySignature = (text: string) =>
    verify(STRIPE_LIKE, { 'Stripe-Signature': text }, request);
  assert.ok(verifySignature(`t=1492774577,v1=${good},v0=${bad}`));
  assert.ok(verifySignature(`t=1492774577, v1=${bad}, v1=${good}`));
  assert.not(verifySignature(`t=1492774577,v0=${good}`), 'under another name');
  assert.not(verifySignature(`v1=${good}`), 'no time');
  assert.not(verifySignature(`t=1492774577,t=1492774578,v1=${good}`), 'two times');
  assert.not(verifySignature(`t=1492774578,v1=${good}`), 'another time');
  assert.not(verifySignature(`t=1492774577,v1=${good.slice(2)}`), 'cut');
  assert.not(
    verifySignature(`t=1492774577,v1=${Buffer.from(good, 'hex').toString('base64')}`),
    'base64',
  );
  assert.not(verifySignature(`t=1492774577,V1=${good}`), 'upper case');
});

const plain: WebhookManifest = { algorithm: 'sha256', header: 'X-Sign', format: 'hex' };

test('an ID is signed where the template has one, and cannot move text between its parts (CLD-4)', () => {
  const webhook: WebhookManifest = { ...plain, idHeader: 'X-Id', signed: '{id}:{body}' };
  const sign = (text: string) => createHmac('sha256', 'secret').update(text).digest('hex');
  const request = { body: 'b', secret: 'secret', at: 0 };
  assert.ok(verify(webhook, { 'X-Id': '7', 'X-Sign': sign('7:b') }, request));
  assert.not(verify(webhook, { 'X-Id': '8', 'X-Sign': sign('7:b') }, request));
  assert.not(verify(webhook, { 'X-Sign': sign(':b') }, request));
  const moved = { ...request, body: 'c' };
  assert.not(verify(webhook, { 'X-Id': '7:b', 'X-Sign': sign('7:b:c') }, moved));
});

test('a manifest whose signed text cannot be made, or has two readings, is refused', () => {
  const refused: Partial<WebhookManifest>[] = [
    { format: 'standard', signed: '{body}' },
    { format: 'token', pairs: { signature: 'v1' } },
    { signed: '{body}:{timestamp}', timestampHeader: 'X-Time' },
    { signed: '{timestamp}.{body}' },
    { signed: '{id}.{body}' },
    { signed: '{id}{body}', idHeader: 'X-Id' },
    { signed: '{id}.{id}.{body}', idHeader: 'X-Id' },
    { signed: '{url}.{body}' },
    { pairs: { signature: 'v1', timestamp: 't' } },
  ];
  for (const members of refused)
    assert.type(explainWebhookFault({ ...plain, ...members }), 'string', JSON.stringify(members));
  for (const one of [SLACK, STRIPE_LIKE, STANDARD_WEBHOOKS, plain])
    assert.is(explainWebhookFault(one), null);
});

test.run();
