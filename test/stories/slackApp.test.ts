import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { installSender } from '../support/cloud/installSender.ts';
import { COMMENT_SENDERS } from '../support/cloud/senderComments.ts';
import { WORKER, WORKFLOW } from '../support/cloud/senderStage.ts';
import {
  createSigningSecret,
  createSlackChallenge,
  enterRequestUrl,
  signAsSlack,
} from '../support/forges/slackRequests.ts';
import { Story } from '../support/story.ts';

const test = suite('story: an app at Slack that sends to a runner');

const SLACK_SENDER = COMMENT_SENDERS.find(({ plugin }) => plugin === 'slack');

test('Slack accepts the address of a runner, and a message there wakes the job that waits for it (EVT-3)', async () => {
  if (SLACK_SENDER === undefined) throw new Error('no Slack');
  const secret = createSigningSecret();
  const story = new Story({ workflow: WORKFLOW, programs: { worker: WORKER } });
  await story.runner.start();
  try {
    const url = `${story.runner.url}/webhooks/slack`;
    const post = async (body: Buffer<ArrayBuffer>, signingSecret: string) => {
      const headers = signAsSlack(body, signingSecret, Date.now());
      const reply = await fetch(url, { method: 'POST', headers, body });
      return { status: reply.status, headers: reply.headers, text: await reply.text() };
    };
    await installSender(story, SLACK_SENDER, {});
    const early = await enterRequestUrl(url, secret).catch((error: Error) => error);
    assert.instance(early, Error, 'the secret comes first');
    await story.client.updateConfig({
      plugins: { installed: { slack: { config: { webhookSecret: secret } } } },
    });
    await enterRequestUrl(url, secret);
    const { headers, text } = await post(createSlackChallenge('again'), secret);
    assert.is(text, 'again');
    assert.match(headers.get('content-type') ?? '', /^text\/plain\b/);
    assert.is(headers.get('x-content-type-options'), 'nosniff');
    const forged = await post(createSlackChallenge('forged'), createSigningSecret());
    assert.is(forged.status, 401);
    assert.not.match(forged.text, 'forged');

    const jobId = await story.job({
      jiraTicketId: SLACK_SENDER.ticket,
      trackerProvider: 'slack',
    });
    await story.until(jobId, ({ parked }) => parked?.kind === 'event');
    const comment = { text: 'Continue with the payment page.', at: Date.now() };
    const message = Buffer.from(JSON.stringify(SLACK_SENDER.report(comment)));
    assert.is((await post(message, secret)).status, 202);
    const { status, visit } = await story.until(jobId, ({ ended }) => ended);
    assert.equal([status, visit], ['complete', 2]);
  } finally {
    await story.end();
  }
});

test.run();
