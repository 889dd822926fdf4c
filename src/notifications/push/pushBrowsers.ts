import { createHash } from 'node:crypto';
import { SvcError } from '../../base/errors/errors.ts';
import { writeOutUnseen } from '../../base/text/escapeHidden.ts';
import { joinIntoOneLine } from '../../base/text/clip.ts';
import type { RowChange } from '../../contract/records/changes.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { Notifications } from '../../contract/runner/notifications.ts';
import type { NotificationSettings } from '../../contract/schema/runner/notificationSettings.ts';
import { MOST_BROWSERS } from '../../base/settings/notificationKinds.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import { viewBrowser } from '../viewChannels.ts';
import { forgetBrowser, moveMessages } from './browserChannels.ts';
import { checkSubscription } from './checkSubscription.ts';

const ID_CHARS = 32;

/** The same for the same browser, and no way back to its address. The dashboard computes it too. */
const toBrowserId = (endpoint: string): string =>
  createHash('sha256').update(endpoint).digest('hex').slice(0, ID_CHARS);

interface PushBrowsersDeps {
  rows: TypedRows<Tables>;
  /** Resolves when the rows are durable. */
  writeRows(changes: RowChange[]): Promise<void>;
  /** Epoch ms. */
  now(): number;
  /** As they are configured. */
  settings(): NotificationSettings;
}

/** Turns browsers on and off. */
export const createPushBrowsers = ({
  rows,
  writeRows,
  now,
  settings,
}: PushBrowsersDeps): Pick<Notifications, 'subscribe' | 'unsubscribe'> => ({
  async subscribe(channel, subscription) {
    const { channels } = settings();
    const configuredChannel = Object.hasOwn(channels, channel) ? channels[channel] : undefined;
    if (configuredChannel === undefined)
      throw new SvcError('not-found', `No channel is named ${channel}.`);
    if (configuredChannel.type !== 'web-push')
      throw new SvcError(
        'bad-argument',
        `The channel ${channel} is of type ${configuredChannel.type}; browsers get messages of channels of type web-push.`,
      );
    checkSubscription(subscription, configuredChannel.allowHosts ?? []);
    const { endpoint, keys, label, replaces } = subscription;
    const id = toBrowserId(endpoint);
    const browsers = rows.all('push_subscriptions');
    const previous = browsers.find((one) => one.id === replaces && one.channel === channel);
    // One that a person has turned off stays so.
    if (replaces !== undefined && previous === undefined)
      throw new SvcError('not-found', `The channel ${channel} has no such browser.`);
    const former = previous?.id === id ? undefined : previous;
    const orphans = browsers.filter((one) => !Object.hasOwn(channels, one.channel));
    const others = browsers.filter(
      (one) => one.id !== id && one !== former && !orphans.includes(one),
    );
    if (others.length >= MOST_BROWSERS)
      throw new SvcError(
        'conflict',
        `${MOST_BROWSERS} browsers are turned on, which is the limit. Turn one off first.`,
      );
    const row: Tables['push_subscriptions'] = {
      id,
      channel,
      endpoint,
      p256dh: keys.p256dh.replace(/=+$/, ''),
      auth: keys.auth.replace(/=+$/, ''),
      label: joinIntoOneLine(writeOutUnseen(label)),
      created_at: previous?.created_at ?? now(),
    };
    await writeRows([
      ...orphans.flatMap((one) => forgetBrowser(rows, one)),
      ...(former === undefined ? [] : moveMessages(rows, former, id)),
      { op: 'put', table: 'push_subscriptions', row },
    ]);
    return viewBrowser(rows, row);
  },
  async unsubscribe(channel, browser) {
    const row = rows.one('push_subscriptions', { id: browser });
    if (row === undefined || row.channel !== channel)
      throw new SvcError('not-found', `The channel ${channel} has no such browser.`);
    await writeRows(forgetBrowser(rows, row));
  },
});
