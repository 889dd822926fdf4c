import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Channel, SendOutcome } from '../../../src/notifications/channels/channel.ts';
import {
  createDiscordChannel,
  renderDiscordMessage,
} from '../../../src/notifications/channels/discordChannel.ts';
import {
  createNtfyChannel,
  renderNtfyMessage,
} from '../../../src/notifications/channels/ntfyChannel.ts';
import {
  createSlackChannel,
  renderSlackMessage,
} from '../../../src/notifications/channels/slackChannel.ts';
import {
  createTeamsChannel,
  renderTeamsMessage,
} from '../../../src/notifications/channels/teamsChannel.ts';
import {
  createFakeDiscord,
  DISCORD_LIMITED,
  DISCORD_PATH,
} from '../../support/notifications/fakeDiscord.ts';
import {
  createFakeNtfy,
  NTFY_LIMITED,
  NTFY_TOKEN,
  NTFY_TOPIC,
} from '../../support/notifications/fakeNtfy.ts';
import type { NotificationItem } from '../../../src/notifications/message/notificationMessage.ts';
import type { FakeReceiver, Reply } from '../../support/notifications/fakeReceiver.ts';
import {
  createFakeSlack,
  SLACK_LIMITED,
  SLACK_PATH,
} from '../../support/notifications/fakeSlack.ts';
import {
  createFakeTeams,
  TEAMS_LIMITED,
  TEAMS_PATH,
} from '../../support/notifications/fakeTeams.ts';
import {
  makeItem,
  makeLargestMessage,
  makeMessage,
} from '../../support/notifications/makeMessage.ts';

const test = suite('notifications: channels of chats');

const now = () => 0;

interface Service {
  createFake(): FakeReceiver;
  open(url: string, isWrong?: boolean): Channel;
  limited: Reply;
  /** How long it asks to wait, ms. */
  retryAfterMs: number | null;
  /** What it says to a wrong secret. */
  wrong: string;
}

const SERVICES: Readonly<Record<string, Service>> = {
  slack: {
    createFake: createFakeSlack,
    open: (url, isWrong) =>
      createSlackChannel(url + (isWrong ? SLACK_PATH.replace(/X+$/, 'Y') : SLACK_PATH), now),
    limited: SLACK_LIMITED,
    retryAfterMs: 30_000,
    wrong: 'answered 403: invalid_token',
  },
  discord: {
    createFake: createFakeDiscord,
    open: (url, isWrong) => createDiscordChannel(`${url}${DISCORD_PATH}${isWrong ? 'x' : ''}`, now),
    limited: DISCORD_LIMITED,
    retryAfterMs: 65_000,
    wrong: 'answered 401: Invalid Webhook Token',
  },
  teams: {
    createFake: createFakeTeams,
    open: (url, isWrong) => createTeamsChannel(`${url}${TEAMS_PATH}${isWrong ? 'x' : ''}`, now),
    limited: TEAMS_LIMITED,
    retryAfterMs: 45_000,
    wrong: 'answered 401: The authentication credentials are not valid.',
  },
  ntfy: {
    createFake: createFakeNtfy,
    open: (server, isWrong) =>
      createNtfyChannel({
        server,
        topic: NTFY_TOPIC,
        now,
        token: isWrong ? 'tk_other' : NTFY_TOKEN,
      }),
    limited: NTFY_LIMITED,
    retryAfterMs: null,
    wrong: 'answered 401: unauthorized',
  },
};

const { signal } = new AbortController();

async function withFake<T>(
  { createFake }: Service,
  use: (fake: FakeReceiver) => Promise<T>,
): Promise<T> {
  const fake = await createFake().start();
  try {
    return await use(fake);
  } finally {
    fake.stop();
  }
}

for (const [name, service] of Object.entries(SERVICES)) {
  const { open, limited, retryAfterMs, wrong } = service;

  test(`${name} takes a message that names job, reason, output and link`, () =>
    withFake(service, async (fake) => {
      const outcome = await open(fake.url).send(makeMessage(), signal);
      assert.equal(outcome, { is: 'delivered' });
      const text = fake.accepted[0]?.text ?? '';
      for (const part of ['Failed', 'acme/shop', '1.50', 'ended with code 1', '3 tests failed'])
        assert.ok(text.replaceAll('\\\\', '').includes(part), `${part} is not in ${text}`);
      assert.match(text, 'https://svc.example.com/dashboard/#/jobs/j1');
    }));

  test(`${name} takes the largest message, which counts what it does not name`, () =>
    withFake(service, async (fake) => {
      const outcome = await open(fake.url).send(makeLargestMessage(), signal);
      assert.equal(outcome, { is: 'delivered' });
    }));

  test(`${name} is asked again later where it says that it was asked too often`, () =>
    withFake(service, async (fake) => {
      fake.refuse.push(limited);
      const outcome = await open(fake.url).send(makeMessage(), signal);
      assert.equal(outcome.is === 'refused' && [outcome.final, outcome.retryAfterMs], [
        false,
        retryAfterMs,
      ]);
    }));

  test(`${name} refuses a wrong secret, in its own words`, () =>
    withFake(service, async (fake) => {
      const outcome = await open(fake.url, true).send(makeMessage(), signal);
      assert.equal(outcome, { is: 'refused', problem: wrong, final: false, retryAfterMs: null });
      assert.equal(fake.accepted, []);
    }));

  test(`${name} that is not there has surely not taken a message`, async () => {
    const url = await withFake(service, async (fake) => fake.url);
    const outcome = await open(url).send(makeMessage(), signal);
    assert.is(outcome.is, 'refused');
  });

  test(`whether ${name} has taken a message that it failed at is unknown`, () =>
    withFake(service, async (fake) => {
      fake.refuse.push({ status: 500, body: 'rollup_error' });
      const outcome = await open(fake.url).send(makeMessage(), signal);
      assert.is(outcome.is, 'uncertain');
    }));
}

test('a text of others mentions no one and makes no link', async () => {
  const slack = SERVICES.slack as Service;
  await withFake(slack, async (fake) => {
    const message = makeMessage();
    const [item] = message.items;
    const items = item ? [{ ...item, why: '<!channel> see <https://evil.example|this>' }] : [];
    const outcome: SendOutcome = await slack.open(fake.url).send({ ...message, items }, signal);
    assert.is(outcome.is, 'delivered');
    assert.not.match(fake.accepted[0]?.text ?? '', '<!channel>');
    assert.not.match(fake.accepted[0]?.text ?? '', '<https://evil');
  });
  const discord = SERVICES.discord as Service;
  await withFake(discord, async (fake) => {
    await discord.open(fake.url).send(makeMessage(), signal);
    assert.equal(fake.accepted[0]?.json?.allowed_mentions, { parse: [] });
  });
});

test('ntfy shows the title of a single item once', () => {
  const { title, message } = renderNtfyMessage(makeMessage(), NTFY_TOPIC);
  assert.is(title, 'Failed: Fix the <cart> & *total*');
  assert.not.match(String(message), 'Fix the <cart>');
  assert.match(String(message), 'The agent ended with code 1.');
});

test('Slack and Teams show the label of a single item once, and those of several at each', () => {
  const count = (value: unknown): number => JSON.stringify(value).split('Failed').length - 1;
  const item = makeItem({ title: 'Fix the cart' });
  for (const blocks of [
    (items: NotificationItem[]) => renderSlackMessage(makeMessage(items)).blocks,
    (items: NotificationItem[]) => renderTeamsMessage(makeMessage(items)).attachments,
  ])
    assert.equal([count(blocks([item])), count(blocks([item, item])) >= 2], [1, true]);
});

test('Discord shows an item whose title is its label once, as that of a test', () => {
  const { embeds } = renderDiscordMessage(makeMessage([makeItem({ title: 'Failed' })]));
  assert.equal(
    (embeds as { title: string }[]).map(({ title }) => title),
    ['Failed'],
  );
});

test.run();
