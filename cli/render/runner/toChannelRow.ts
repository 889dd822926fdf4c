import { formatUtcMinute } from '../../../src/base/time/toIsoTime.ts';
import type { NotificationChannel } from '../../../src/contract/schema/runner/notifications.ts';

export const CHANNEL_HEADER = [
  'CHANNEL',
  'TYPE',
  'STATE',
  'RULES',
  'WAITING',
  'LAST SENT',
  'PROBLEM',
];

/** A channel of notifications as a line of a table. */
export const toChannelRow = ({
  name,
  type,
  state,
  rules,
  waiting,
  lastSentAt,
  problem,
}: NotificationChannel): string[] => [
  name,
  type,
  state,
  String(rules),
  String(waiting),
  lastSentAt === null ? 'never' : formatUtcMinute(lastSentAt),
  problem ?? '',
];
