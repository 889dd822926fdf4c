import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ReceivedDelivery } from '../../../src/contract/forge/hook.ts';
import {
  BITBUCKET_SIGNATURE,
  GITHUB_SIGNATURE,
  GITLAB_SIGNATURE,
  GITLAB_TOKEN,
  JIRA_SIGNATURE,
  LINEAR_SIGNATURE,
} from '../../../src/providers/hooks/builtInSignatures.ts';
import { verifyWebhook } from '../../../src/providers/hooks/signature.ts';
import { TOLERANCE_MS } from '../../../src/providers/hooks/signedText.ts';
import { SLACK, STANDARD_WEBHOOKS, STRIPE_LIKE } from '../../support/forges/signedSenders.ts';
import type { WebhookManifest } from '../../../src/contract/schema/runner/plugin.ts';

const test = suite('webhooks: signatures');

const NOW = Date.parse('2026-11-21T10:00:00Z');
const BODY = Buffer.from('{"action":"opened","text":"ä"}');
const SECRET = 'it is a secret';
/** 24 bytes. */
const SIGNING_KEY = Buffer.from('0123456789abcdefghijklmn');
const SIGNING_TOKEN = `whsec_${SIGNING_KEY.toString('base64')}`;

const hmac = (
  how: 'sha256' | 'sha512',
  key: string | Buffer,
  ...parts: (string | Uint8Array)[]
) => {
  const mac = createHmac(how, key);
  for (const part of parts) mac.update(part);
  return mac.digest();
};

type Headers = Record<string, string | string[]>;
interface Case {
  name: string;
  webhook: WebhookManifest;
  secret: string;
  /** Headers of a genuine delivery of this body at this time, epoch ms. */
  sign(body: Uint8Array, secret: string, at: number): Headers;
}

const signedBody = (
  webhook: WebhookManifest,
  written: (digest: Buffer) => string,
): Case['sign'] => {
  return (body, secret) => ({ [webhook.header]: written(hmac(webhook.algorithm, secret, body)) });
};
const asHex = (digest: Buffer) => digest.toString('hex');
const prefixed = (digest: Buffer) => `sha256=${digest.toString('hex')}`;

const standard: Case['sign'] = (body, secret, at) => {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signature = hmac('sha256', key, `msg_1.${timestamp}.`, body).toString('base64');
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
};

const own: WebhookManifest = { algorithm: 'sha512', header: 'X-Sign', format: 'base64' };

const toSeconds = (at: number): string => String(Math.floor(at / 1000));

const signAsStripe: Case['sign'] = (body, secret, at) => {
  const time = toSeconds(at);
  return {
    'Stripe-Signature': `t=${time},v1=${hmac('sha256', secret, `${time}.`, body).toString('hex')}`,
  };
};

const signAsSlack: Case['sign'] = (body, secret, at) => {
  const time = toSeconds(at);
  return {
    'X-Slack-Request-Timestamp': time,
    'X-Slack-Signature': `v0=${hmac('sha256', secret, `v0:${time}:`, body).toString('hex')}`,
  };
};

const CASES: Case[] = [
  { name: 'Slack', webhook: SLACK, secret: SECRET, sign: signAsSlack },
  { name: 'a sender like Stripe', webhook: STRIPE_LIKE, secret: SECRET, sign: signAsStripe },
  {
    name: 'Standard Webhooks',
    webhook: STANDARD_WEBHOOKS,
    secret: SIGNING_TOKEN,
    sign: standard,
  },
  {
    name: 'GitHub',
    webhook: GITHUB_SIGNATURE,
    secret: SECRET,
    sign: signedBody(GITHUB_SIGNATURE, prefixed),
  },
  {
    name: 'GitLab, signing token',
    webhook: GITLAB_SIGNATURE,
    secret: SIGNING_TOKEN,
    sign: standard,
  },
  {
    name: 'Bitbucket',
    webhook: BITBUCKET_SIGNATURE,
    secret: SECRET,
    sign: signedBody(BITBUCKET_SIGNATURE, prefixed),
  },
  {
    name: 'Jira',
    webhook: JIRA_SIGNATURE,
    secret: SECRET,
    sign: signedBody(JIRA_SIGNATURE, prefixed),
  },
  {
    name: 'Linear',
    webhook: LINEAR_SIGNATURE,
    secret: SECRET,
    sign: signedBody(LINEAR_SIGNATURE, asHex),
  },
  {
    name: 'a plugin of its own',
    webhook: own,
    secret: SECRET,
    sign: signedBody(own, (digest) => digest.toString('base64')),
  },
];

const passes = (
  { webhook, secret }: Case,
  headers: ReceivedDelivery['headers'],
  body: Uint8Array = BODY,
  at = NOW,
  other = secret,
) => verifyWebhook(webhook, { headers, rawBody: body, receivedAt: at }, other);

for (const one of CASES) {
  const { name, webhook, secret, sign } = one;
  const good = sign(BODY, secret, NOW);
  const value = String(good[webhook.header]);
  const withValue = (text: string | string[]): Headers => ({ ...good, [webhook.header]: text });

  test(`${name}: what was signed with the secret passes, whatever the case of the header's name (CLD-4)`, () => {
    assert.ok(passes(one, good));
    assert.ok(
      passes(
        one,
        Object.fromEntries(Object.entries(good).map(([key, text]) => [key.toUpperCase(), text])),
      ),
    );
  });

  test(`${name}: a body changed by one byte, another secret, an empty one do not pass (CLD-4)`, () => {
    for (const [index] of BODY.entries()) {
      const changed = Buffer.from(BODY);
      changed[index] = (changed[index] ?? 0) ^ 1;
      assert.not(passes(one, good, changed), `byte ${index}`);
    }
    assert.not(passes(one, good, Buffer.concat([BODY, Buffer.from('\n')])));
    assert.not(passes(one, good, BODY.subarray(1)));
    const wrong = secret.startsWith('whsec_')
      ? `whsec_${Buffer.from('another key, not this one').toString('base64')}`
      : 'another';
    assert.not(passes(one, sign(BODY, wrong, NOW)));
    assert.not(passes(one, sign(BODY, '', NOW), BODY, NOW, ''));
    assert.not(
      passes(
        one,
        sign(BODY, 'whsec_', NOW),
        BODY,
        NOW,
        secret.startsWith('whsec_') ? 'whsec_' : '',
      ),
    );
  });

  test(`${name}: a signature that is cut, longer, doubled, of another case or missing does not pass (CLD-4)`, () => {
    for (const text of [
      '',
      value.slice(0, -1),
      value.slice(0, -2),
      value.slice(1),
      `${value}00`,
      // A list of pairs may repeat a name.
      ...(webhook.pairs === undefined ? [`${value}${value}`] : []),
      ` ${value}x`,
    ]) {
      assert.not(passes(one, withValue(text)), JSON.stringify(text));
    }
    assert.not(passes(one, withValue([value, value])));
    assert.not(
      passes(one, { ...good, [webhook.header]: value, [webhook.header.toUpperCase()]: value }),
    );
    assert.not(passes(one, {}));
    // Hex may be written in capitals; base64 and the prefix are what they are.
    if (webhook.format !== 'hex') assert.not(passes(one, withValue(value.toUpperCase())));
  });

  test(`${name}: another algorithm, or the same one written in another form, does not pass`, () => {
    const digest = hmac(webhook.algorithm === 'sha256' ? 'sha512' : 'sha256', secret, BODY);
    const texts = [
      `sha1=${hmac('sha256', secret, BODY).toString('hex').slice(0, 40)}`,
      prefixed(digest),
      asHex(digest),
      digest.toString('base64'),
    ];
    for (const text of texts) assert.not(passes(one, withValue(text)), text);
  });
}

test("GitHub's documented example passes", () => {
  const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17';
  const delivery = {
    headers: { 'x-hub-signature-256': signature },
    rawBody: Buffer.from('Hello, World!'),
    receivedAt: NOW,
  };
  assert.ok(verifyWebhook(GITHUB_SIGNATURE, delivery, "It's a Secret to Everybody"));
});

test("the example of Atlassian's documentation passes, as Jira and Bitbucket send it", () => {
  const signature = 'sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9';
  const delivery = {
    headers: { 'x-hub-signature': signature },
    rawBody: Buffer.from('Hello World!'),
    receivedAt: NOW,
  };
  for (const webhook of [JIRA_SIGNATURE, BITBUCKET_SIGNATURE])
    assert.ok(verifyWebhook(webhook, delivery, "It's a Secret to Everybody"));
});

test('the example of Standard Webhooks passes, five minutes around its time and not a second longer', () => {
  const headers = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const at = (receivedAt: number) =>
    verifyWebhook(
      GITLAB_SIGNATURE,
      { headers, rawBody: Buffer.from('{"test": 2432232314}'), receivedAt },
      'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    );
  const sentAt = 1_614_265_330_000;
  assert.equal([sentAt, sentAt + TOLERANCE_MS, sentAt - TOLERANCE_MS].map(at), [true, true, true]);
  assert.equal(
    [sentAt + TOLERANCE_MS + 1000, sentAt - TOLERANCE_MS - 1000, sentAt + 600_000].map(at),
    [false, false, false],
  );
});

test('of several signatures one has to be right; id and time are signed, and cannot be cut elsewhere', () => {
  const one = CASES.find(({ webhook }) => webhook === GITLAB_SIGNATURE) as Case;
  const good = standard(BODY, SIGNING_TOKEN, NOW);
  const v1 = String(good['webhook-signature']);
  const other = `v1,${Buffer.alloc(32).toString('base64')}`;
  const withSignature = (text: string) => passes(one, { ...good, 'webhook-signature': text });
  assert.ok(withSignature(`${other} ${v1}`));
  assert.ok(withSignature(`v1a,${Buffer.alloc(64).toString('base64')} ${v1} ${other}`));
  assert.not(withSignature(`${other} ${other}`));
  assert.not(withSignature(v1.replace('v1,', 'v1a,')));
  assert.not(withSignature(v1.replace('v1,', '')));
  assert.not(withSignature(`${`${other} `.repeat(10)}${v1}`), 'as many as anybody likes');
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    const { [name]: _, ...without } = good;
    assert.not(passes(one, without), name);
  }
  assert.not(passes(one, { ...good, 'webhook-id': 'msg_2' }));
  assert.not(
    passes(one, { ...good, 'webhook-timestamp': String(Number(good['webhook-timestamp']) + 1) }),
  );
  // The same bytes are signed whether the time ends here or further on; the characters allowed in
  // an id decide.
  const time = String(good['webhook-timestamp']);
  const dotted = standard(Buffer.concat([Buffer.from(`${time}.`), BODY]), SIGNING_TOKEN, NOW);
  assert.not(passes(one, { ...dotted, 'webhook-id': `msg_1.${time}` }, BODY));
  for (const wrong of ['', ' 1', '1e9', '-1', '1614265330.5', '9'.repeat(40)]) {
    assert.not(passes(one, { ...good, 'webhook-timestamp': wrong }), wrong);
  }
});

test("GitLab's older form holds the secret itself: equal or not, of any length", () => {
  const token = (value: string | string[] | undefined, secret = SECRET) =>
    verifyWebhook(
      GITLAB_TOKEN,
      { headers: { 'x-gitlab-token': value }, rawBody: BODY, receivedAt: NOW },
      secret,
    );
  assert.ok(token(SECRET));
  for (const wrong of ['', SECRET.slice(1), `${SECRET} `, SECRET.toUpperCase(), 'x'.repeat(10_000)])
    assert.not(token(wrong), wrong.slice(0, 20));
  assert.not(token([SECRET, SECRET]));
  assert.not(token(undefined));
  assert.not(token('', ''));
});

test.run();
