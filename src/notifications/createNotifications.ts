import { SvcError } from '../base/errors/errors.ts';
import { toIsoTimeOrNull } from '../base/time/toIsoTime.ts';
import type { Tables } from '../contract/records/tables.ts';
import type { Notifications } from '../contract/runner/notifications.ts';
import type {
  ChannelSettings,
  NotificationSettings,
} from '../contract/schema/runner/notificationSettings.ts';
import type { NotificationChannel } from '../contract/schema/runner/notifications.ts';
import type { TypedRows } from '../kernel/typedRows.ts';
import type { Channel } from './channels/channel.ts';
import type { NotificationMessage } from './message/notificationMessage.ts';

/** Longest test, ms. */
const TEST_TIMEOUT_MS = 30_000;

interface NotificationsDeps {
  rows: TypedRows<Tables>;
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
      toChannelView(deps, name, settings),
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
    const outcome = await deps.openChannel(name, settings).send(message, signal);
    return {
      channel: name,
      delivered: outcome.is === 'delivered',
      problem: outcome.is === 'delivered' ? null : deps.screen(outcome.problem),
    };
  },
});

function toChannelView(
  { rows, settings }: NotificationsDeps,
  name: string,
  { type, enabled }: ChannelSettings,
): NotificationChannel {
  const [row] = rows.all('notification_channels', { channel: name });
  const count = (state: Tables['notification_messages']['state']) =>
    rows.count('notification_messages', { channel: name, state });
  const isFailing = row !== undefined && row.failures > 0;
  return {
    name,
    type,
    state: !enabled ? 'disabled' : isFailing ? 'failing' : row === undefined ? 'unused' : 'ok',
    rules: settings().rules.filter(({ channel }) => channel === name).length,
    waiting: count('waiting') + count('sending'),
    failures: row?.failures ?? 0,
    failingSince: toIsoTimeOrNull(row?.failing_since ?? null),
    problem: row?.error ?? null,
    retryAt: toIsoTimeOrNull(row?.retry_at ?? null),
    lastSentAt: toIsoTimeOrNull(row?.sent_at ?? null),
    lost: count('failed') + count('unknown'),
  };
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
      },
    ],
  };
}
