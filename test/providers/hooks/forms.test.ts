import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { githubWebhook } from '../../../src/providers/github/plugin.ts';
import { gitlabWebhook } from '../../../src/providers/gitlab/hooks.ts';
import { issueEvent } from '../../support/forges/webhookStage.ts';
import { codeOfRefusal } from '../../support/refusal.ts';

const test = suite('webhooks: forms');

const SECRET = 'the secret';
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

const signHeaders = (body: string, type: string) => ({
  'content-type': type,
  'x-github-delivery': 'd-1',
  'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
});

const readAsGithub = (body: string, type: string) =>
  githubWebhook(SECRET)({
    rawBody: Buffer.from(body),
    headers: signHeaders(body, type),
    receivedAt: 0,
  });

const event = issueEvent('opened', 'ann', { title: 'ä + & = %' });
const form = new URLSearchParams({ payload: JSON.stringify(event) }).toString();

// https://docs.github.com/webhooks/using-webhooks/creating-webhooks: the JSON is in a parameter called payload.
test('GitHub may send a form with the JSON in its payload, which is signed as it came (EVT-4)', () => {
  assert.is(readAsGithub(form, FORM).event?.title, 'ä + & = %');
  assert.equal(
    readAsGithub(form, FORM).event,
    readAsGithub(JSON.stringify(event), JSON_TYPE).event,
  );
});

test('the bytes decide whether a delivery is a form: its content type is not signed', () => {
  const hidden = issueEvent('opened', 'ann', { title: `&${form}` });
  const body = JSON.stringify(hidden);
  assert.is(readAsGithub(body, FORM).event?.title, `&${form}`);
  assert.is(readAsGithub(form, JSON_TYPE).event?.title, 'ä + & = %');
  assert.is(readAsGithub(form, 'text/plain').event?.title, 'ä + & = %');
});

test('a form without a payload, with two, or with one that is no JSON is malformed', async () => {
  for (const body of [
    'payload=',
    'payload=%7B',
    `${form}&payload=%7B%7D`,
    `body=${form}`,
    form.replace('payload', 'Payload'),
    `--x\r\nContent-Disposition: form-data; name="payload"\r\n\r\n${JSON.stringify(event)}\r\n--x--`,
  ])
    assert.is(await codeOfRefusal(() => readAsGithub(body, FORM)), 'malformed', body);
});

test('a sender that sends no forms is not read from one', async () => {
  const rawBody = Buffer.from(form);
  const headers = { 'content-type': FORM, 'x-gitlab-token': SECRET };
  const read = () => gitlabWebhook(SECRET)({ rawBody, headers, receivedAt: 0 });
  assert.is(await codeOfRefusal(read), 'malformed');
});

test.run();
