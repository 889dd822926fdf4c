import { SvcError } from '../base/errors/errors.ts';
import type { Tables } from '../contract/records/tables.ts';
import type { Notifications } from '../contract/runner/notifications.ts';
import type {
  ChannelSettings,
  NotificationSettings,
} from '../contract/schema/runner/notificationSettings.ts';
import type { TypedRows } from '../kernel/typedRows.ts';
import type { RowChange } from '../contract/records/changes.ts';
import type { Channel, SendOutcome } from './channels/channel.ts';
import type { NotificationMessage } from './message/notificationMessage.ts';
import { forgetBrowser, splitByBrowser } from './push/browserChannels.ts';
import { createPushBrowsers } from './push/pushBrowsers.ts';
import type { PushKeys } from './push/pushKeys.ts';
import { viewChannel } from './viewChannels.ts';

/** Longest test, ms. */
const TEST_TIMEOUT_MS = 30_000;

interface NotificationsDeps {
  rows: TypedRows<Tables>;
  /** Resolves when the rows are durable. */
  writeRows(changes: RowChange[]): Promise<void>;
  /** Makes them on first use. */
  pushKeys(): Promise<PushKeys>;
  /** Epoch ms. */
  now(): number;
  nextId(): string;
  settings(): NotificationSettings;
  openChannel(name: string, settings: ChannelSettings): Channel;
  /** Takes known secrets out. */
  screen(text: string): string;
  baseUrl(): string;
}

/** The channels as people see them, and tests of them. A test changes no row: it says nothing of real messages. */
export const createNotifications = (deps: NotificationsDeps): Notifications => ({
  channels: () => ({
    channels: Object.entries(deps.settings().channels).map(([name, settings]) =>
      viewChannel(deps.rows, deps.settings(), name, settings),
    ),
  }),
  async test(name) {
    const { channels } = deps.settings();
    const settings = Object.hasOwn(channels, name) ? channels[name] : undefined;
    if (settings === undefined)
      throw new SvcError(
        'not-found',
        `No channel is named ${name}. Channels: ${Object.keys(channels).join(', ') || 'none; add one to notifications.channels'}.`,
      );
    const message = composeTest(deps, name);
    const signal = AbortSignal.timeout(TEST_TIMEOUT_MS);
    const problems = await (settings.type === 'web-push'
      ? testBrowsers(deps, name, message, signal)
      : listProblems(deps, [await deps.openChannel(name, settings).send(message, signal)]));
    const [problem = null] = problems;
    return { channel: name, delivered: problem === null, problem };
  },
  pushKey: async () => ({ publicKey: (await deps.pushKeys()).publicKey }),
  ...createPushBrowsers(deps),
});

const listProblems = ({ screen }: NotificationsDeps, outcomes: readonly SendOutcome[]): string[] =>
  outcomes.flatMap((outcome) => (outcome.is === 'delivered' ? [] : [screen(outcome.problem)]));

/** Sends a test to each browser of a web push channel; one that is gone is forgotten. */
async function testBrowsers(
  deps: NotificationsDeps,
  channel: string,
  message: NotificationMessage,
  signal: AbortSignal,
): Promise<string[]> {
  const { rows, settings, openChannel, writeRows } = deps;
  const browsers = rows.all('push_subscriptions').filter((one) => one.channel === channel);
  if (browsers.length === 0)
    return ['has no browser: open Notifications in the dashboard and turn one on'];
  const { channels } = splitByBrowser(settings(), browsers);
  const outcomes = await Promise.all(
    Object.entries(channels)
      .filter(([, { browser }]) => browser !== undefined)
      .map(async ([name, channelSettings]) => {
        const outcome = await openChannel(name, channelSettings).send(message, signal);
        const row = browsers.find(({ id }) => id === channelSettings.browser);
        if (outcome.is === 'gone' && row) await writeRows(forgetBrowser(rows, row));
        return outcome;
      }),
  );
  return listProblems(deps, outcomes);
}

function composeTest(
  { now, nextId, baseUrl }: NotificationsDeps,
  channel: string,
): NotificationMessage {
  const at = new Date(now()).toISOString();
  const id = `test_${nextId()}`;
  const url = `${baseUrl()}/dashboard/#/inbox`;
  const title = `Test of the channel ${channel}`;
  return {
    id,
    type: 'test',
    at,
    title,
    url,
    items: [
      {
        id,
        kind: 'runner',
        reason: 'test',
        label: title,
        title,
        why: 'svc can reach you here.',
        since: at,
        resolved: false,
        url,
        job: null,
        schedule: null,
      },
    ],
  };
}
