import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Channel } from '../../../src/notifications/channels/channel.ts';
import { createSlackApiChannel } from '../../../src/notifications/channels/slackApiChannel.ts';
import type { FakeReceiver } from '../../support/notifications/fakeReceiver.ts';
import {
  createFakeSlackApi,
  SLACK_API_LIMITED,
  SLACK_CHANNEL,
  SLACK_TOKEN,
} from '../../support/notifications/fakeSlackApi.ts';
import {
  makeItem,
  makeLargestMessage,
  makeMessage,
} from '../../support/notifications/makeMessage.ts';

const test = suite('notifications: a bot of Slack');

const { signal } = new AbortController();

async function withSlack(
  use: (slack: FakeReceiver, channel: Channel) => Promise<void>,
  { token = SLACK_TOKEN, slackChannel = SLACK_CHANNEL } = {},
): Promise<void> {
  const slack = await createFakeSlackApi().start();
  try {
    await use(slack, createSlackApiChannel({ api: slack.url, token, slackChannel, now: () => 0 }));
  } finally {
    slack.stop();
  }
}

test('a message is posted, and changed when what it asks for is settled', () =>
  withSlack(async (slack, channel) => {
    const outcome = await channel.send(makeMessage(), signal);
    const handle = outcome.is === 'delivered' ? (outcome.handle ?? '') : '';
    assert.is(Object(JSON.parse(handle)).channel, SLACK_CHANNEL);
    const settled = makeMessage([makeItem({ resolved: true })]);
    assert.is((await channel.update?.(settled, handle, signal))?.is, 'delivered');
    assert.match(String(slack.accepted[1]?.json?.text), /^Settled: /);
    assert.equal(
      slack.accepted.map(({ path }) => path),
      ['/chat.postMessage', '/chat.update'],
    );
  }));

test('the largest message is taken', () =>
  withSlack(async (_slack, channel) => {
    assert.is((await channel.send(makeLargestMessage(), signal)).is, 'delivered');
  }));

for (const [error, options] of [
  ['invalid_auth', { token: 'xoxb-other' }],
  ['channel_not_found', { slackChannel: 'C9' }],
] as const)
  test(`${error} is refused, and tried again once it is repaired`, () =>
    withSlack(async (_slack, channel) => {
      assert.equal(await channel.send(makeMessage(), signal), {
        is: 'refused',
        problem: `answered ${error}`,
        final: false,
        retryAfterMs: null,
      });
    }, options));

test('a message that was removed in Slack is not changed any more', () =>
  withSlack(async (_slack, channel) => {
    const handle = JSON.stringify({ channel: SLACK_CHANNEL, ts: '1.2' });
    const outcome = await channel.update?.(makeMessage(), handle, signal);
    assert.is(outcome?.is === 'refused' && outcome.final, true);
  }));

test('it is asked again later where it says that it was asked too often', () =>
  withSlack(async (slack, channel) => {
    slack.refuse.push(SLACK_API_LIMITED);
    const outcome = await channel.send(makeMessage(), signal);
    assert.is(outcome.is === 'refused' && outcome.retryAfterMs, 30_000);
  }));

for (const body of [{ ok: false, error: 'internal_error' }, 'gateway', {}])
  test(`whether ${JSON.stringify(body)} has taken a message is unknown`, () =>
    withSlack(async (slack, channel) => {
      slack.refuse.push({ status: 200, body });
      assert.is((await channel.send(makeMessage(), signal)).is, 'uncertain');
    }));

test.run();
