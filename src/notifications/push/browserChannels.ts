import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type {
  ChannelSettings,
  NotificationSettings,
} from '../../contract/schema/runner/notificationSettings.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';

type Subscription = Tables['push_subscriptions'];

/**
 * The channel of one browser: a browser has messages, failures and waits of its own. Names of
 * configured channels have no slash.
 */
export const toBrowserChannel = (channel: string, browser: string): string =>
  `${channel}/${browser}`;

/**
 * The settings in which each web push channel is replaced by one channel for each of its browsers, and
 * each rule for it by one rule for each of them.
 */
export function splitByBrowser(
  settings: NotificationSettings,
  subscriptions: readonly Pick<Subscription, 'id' | 'channel'>[],
): NotificationSettings {
  const { channels, rules } = settings;
  const isPush = (name: string) =>
    Object.hasOwn(channels, name) && channels[name]?.type === 'web-push';
  if (!Object.keys(channels).some(isPush)) return settings;
  const listBrowsers = (name: string) => subscriptions.filter(({ channel }) => channel === name);
  return {
    ...settings,
    channels: Object.fromEntries(
      Object.entries(channels).flatMap(([name, channel]): [string, ChannelSettings][] =>
        isPush(name)
          ? listBrowsers(name).map(({ id }) => [
              toBrowserChannel(name, id),
              { ...channel, browser: id },
            ])
          : [[name, channel]],
      ),
    ),
    rules: rules.flatMap((rule) =>
      isPush(rule.channel)
        ? listBrowsers(rule.channel).map(({ id }) => ({
            ...rule,
            channel: toBrowserChannel(rule.channel, id),
          }))
        : [rule],
    ),
  };
}

/** What is removed with a browser: its subscription, and what waits for it. */
export function forgetBrowser(
  rows: TypedRows<Tables>,
  { id, channel }: Pick<Subscription, 'id' | 'channel'>,
): RowChange[] {
  const name = toBrowserChannel(channel, id);
  return [
    { op: 'drop', table: 'push_subscriptions', key: { id } },
    { op: 'drop', table: 'notification_channels', key: { channel: name } },
    ...rows.all('notification_messages', { channel: name, state: 'waiting' }).map(
      (message): RowChange => ({
        op: 'drop',
        table: 'notification_messages',
        key: { id: message.id },
      }),
    ),
    ...rows.all('notification_shown', { channel: name }).map(
      ({ fact, message }): RowChange => ({
        op: 'drop',
        table: 'notification_shown',
        key: { fact, message },
      }),
    ),
  ];
}

/** What a browser leaves to itself under another address: what waits for it, and what it shows and may be changed. */
export function moveMessages(
  rows: TypedRows<Tables>,
  { id, channel }: Pick<Subscription, 'id' | 'channel'>,
  newId: string,
): RowChange[] {
  const name = toBrowserChannel(channel, id);
  const set = { channel: toBrowserChannel(channel, newId) };
  const shownRows = rows.all('notification_shown', { channel: name });
  const messageIds = new Set([
    ...rows.all('notification_messages', { channel: name, state: 'waiting' }).map((one) => one.id),
    ...shownRows.map(({ message }) => message),
  ]);
  return [
    ...shownRows.map(
      ({ fact, message }): RowChange => ({
        op: 'patch',
        table: 'notification_shown',
        key: { fact, message },
        set,
      }),
    ),
    ...[...messageIds].map(
      (message): RowChange => ({
        op: 'patch',
        table: 'notification_messages',
        key: { id: message },
        set,
      }),
    ),
    { op: 'drop', table: 'notification_channels', key: { channel: name } },
    { op: 'drop', table: 'push_subscriptions', key: { id } },
  ];
}
