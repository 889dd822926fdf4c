/** What a notification is about; rules choose by it. */
export const NOTIFICATION_KINDS = [
  'needs-you',
  'broken',
  'budget',
  'account',
  'runner',
  'report',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Kinds of a rule that names none: everything but the report, which is only sent where it is asked for. */
export const DEFAULT_NOTIFICATION_KINDS: readonly NotificationKind[] = [
  'needs-you',
  'broken',
  'budget',
  'account',
  'runner',
];

export const CHANNEL_TYPES = [
  'command',
  'webhook',
  'slack',
  'teams',
  'discord',
  'ntfy',
  'email',
  'web-push',
] as const;
export type ChannelType = (typeof CHANNEL_TYPES)[number];

/** Days as they are written in the configuration, Sunday first, as in `Date.getUTCDay`. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** How long further facts join a message, seconds. */
export const DEFAULT_BATCH_SECONDS = 30;
export const MOST_BATCH_SECONDS = 3_600;

/** Most browsers of a runner that get web push. */
export const MOST_BROWSERS = 50;
