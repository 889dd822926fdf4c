import { NOTIFICATION_KINDS } from '../base/settings/notificationKinds.ts';
import { toIsoTimeOrNull } from '../base/time/toIsoTime.ts';
import type { Tables } from '../contract/records/tables.ts';
import type {
  ChannelSettings,
  NotificationSettings,
} from '../contract/schema/runner/notificationSettings.ts';
import type { NotificationChannel, PushBrowser } from '../contract/schema/runner/notifications.ts';
import type { TypedRows } from '../kernel/typedRows.ts';
import { toBrowserChannel } from './push/browserChannels.ts';

type ChannelRow = Tables['notification_channels'];
type Subscription = Tables['push_subscriptions'];

/** A channel as people see it: how it works, and what its rules send. */
export function viewChannel(
  rows: TypedRows<Tables>,
  { rules }: Pick<NotificationSettings, 'rules'>,
  name: string,
  { type, enabled }: ChannelSettings,
): NotificationChannel {
  const browsers =
    type === 'web-push' ? rows.all('push_subscriptions').filter((one) => one.channel === name) : [];
  const names = type === 'web-push' ? browsers.map(({ id }) => toBrowserChannel(name, id)) : [name];
  const states = names.flatMap((channel) => rows.all('notification_channels', { channel }));
  const failing = states.filter(({ failures }) => failures > 0);
  const [worst] = failing.toSorted((a, b) => (a.failing_since ?? 0) - (b.failing_since ?? 0));
  const count = (state: Tables['notification_messages']['state']) =>
    names.reduce(
      (sum, channel) => sum + rows.count('notification_messages', { channel, state }),
      0,
    );
  const ownRules = rules.filter(({ channel }) => channel === name);
  return {
    name,
    type,
    state: !enabled ? 'disabled' : worst ? 'failing' : states.length === 0 ? 'unused' : 'ok',
    rules: ownRules.length,
    waiting: count('waiting') + count('sending'),
    failures: worst?.failures ?? 0,
    failingSince: toIsoTimeOrNull(worst?.failing_since ?? null),
    problem: worst?.error ?? null,
    retryAt: toIsoTimeOrNull(worst?.retry_at ?? null),
    lastSentAt: toIsoTimeOrNull(findLastSent(states)),
    lost: count('failed') + count('unknown'),
    kinds: NOTIFICATION_KINDS.filter((kind) => ownRules.some(({ kinds }) => kinds.includes(kind))),
    browsers: browsers.map((browser) => viewBrowser(rows, browser)),
  };
}

function findLastSent(states: readonly ChannelRow[]): number | null {
  const times = states.flatMap(({ sent_at }) => sent_at ?? []);
  return times.length === 0 ? null : Math.max(...times);
}

/** A browser as people see it, without its address. */
export function viewBrowser(
  rows: TypedRows<Tables>,
  { id, channel, label, endpoint, created_at }: Subscription,
): PushBrowser {
  const [state] = rows.all('notification_channels', { channel: toBrowserChannel(channel, id) });
  return {
    id,
    label,
    service: new URL(endpoint).host,
    since: new Date(created_at).toISOString(),
    lastSentAt: toIsoTimeOrNull(state?.sent_at ?? null),
    problem: state?.error ?? null,
    retryAt: toIsoTimeOrNull(state?.retry_at ?? null),
  };
}
