import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { WebhookManifest } from '../../../src/contract/schema/runner/plugin.ts';
import { answerChallenge } from '../../../src/providers/hooks/answerChallenge.ts';
import { explainWebhookFault } from '../../../src/providers/hooks/signedText.ts';
import { SLACK } from '../../support/forges/signedSenders.ts';
import {
  createSigningSecret,
  createSlackChallenge,
  signAsSlack,
} from '../../support/forges/slackRequests.ts';
import { codeOfRefusal } from '../../support/refusal.ts';

const test = suite('webhooks: challenges of senders');

const SECRET = createSigningSecret();
const AT = Date.parse('2026-01-01T10:00:00Z');
const TEXT = '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P';

interface Circumstances {
  secret?: string;
  webhook?: WebhookManifest;
  receivedAt?: number;
}

const answer = (
  body: Buffer,
  { secret = SECRET, webhook = SLACK, receivedAt = AT }: Circumstances = {},
): string | null =>
  answerChallenge(
    webhook,
    { rawBody: body, headers: signAsSlack(body, secret, AT), receivedAt },
    SECRET,
  );
const answerJson = (payload: unknown) => answer(Buffer.from(JSON.stringify(payload)));

test("the request of Slack's documentation is answered with its challenge, each time (CLD-4)", () => {
  const body = createSlackChallenge(TEXT);
  assert.equal([answer(body), answer(body)], [TEXT, TEXT]);
});

test('nothing is sent back that was not signed with the secret, or not lately', () => {
  const body = createSlackChallenge(TEXT);
  assert.is(answer(body, { secret: createSigningSecret() }), null);
  assert.is(answer(body, { receivedAt: AT + 301_000 }), null);
  const unsigned = { rawBody: body, headers: {}, receivedAt: AT };
  assert.is(answerChallenge(SLACK, unsigned, SECRET), null);
  const empty = { rawBody: body, headers: signAsSlack(body, '', AT), receivedAt: AT };
  assert.is(answerChallenge(SLACK, empty, ''), null);
});

test('an event is no challenge, and neither is one without a manifest that names it', () => {
  assert.is(answerJson({ type: 'event_callback', challenge: TEXT }), null);
  assert.is(answerJson({ event: { type: 'url_verification' }, challenge: TEXT }), null);
  assert.is(answerJson([{ type: 'url_verification', challenge: TEXT }]), null);
  assert.is(answer(Buffer.from('type=url_verification&challenge=x')), null);
  const { challenge: _, ...webhook } = SLACK;
  assert.is(answer(createSlackChallenge(TEXT), { webhook }), null);
  assert.is(
    answerJson({ type: 'url_verification', challenge: TEXT, pad: 'a'.repeat(9_000) }),
    null,
  );
});

test('a text that is too long, empty or no plain line is not sent back', async () => {
  const texts = ['a'.repeat(257), '', 'a b', 'a\r\nb', '<é>', 7, null, { toString: TEXT }];
  for (const challenge of texts) {
    const code = await codeOfRefusal(() => answerJson({ type: 'url_verification', challenge }));
    assert.is(code, 'malformed', JSON.stringify(challenge));
  }
  assert.is(await codeOfRefusal(() => answerJson({ type: 'url_verification' })), 'malformed');
});

test('a challenge needs a signed body, and two members', () => {
  const token: WebhookManifest = { algorithm: 'sha256', header: 'X-Token', format: 'token' };
  const challenge = { member: 'type', equals: 'ping', reply: 'type' };
  assert.type(explainWebhookFault({ ...token, challenge: SLACK.challenge }), 'string');
  assert.type(explainWebhookFault({ ...SLACK, challenge }), 'string');
  assert.is(explainWebhookFault(SLACK), null);
});

test.run();
