import type { NotificationKind } from '../../../base/settings/notificationKinds.ts';
import type { NotificationTables } from '../../../contract/records/notificationTables.ts';
import type { Shape } from './shape.ts';

const KINDS = {
  'needs-you': true,
  broken: true,
  budget: true,
  account: true,
  runner: true,
  report: true,
} satisfies Record<NotificationKind, true>;

const MESSAGE_STATES = {
  waiting: true,
  sending: true,
  sent: true,
  failed: true,
  unknown: true,
  obsolete: true,
} satisfies Record<NotificationTables['notification_messages']['state'], true>;

export const NOTIFICATION_SHAPES: {
  [Name in keyof NotificationTables]: Shape<NotificationTables[Name]>;
} = {
  notification_facts: {
    id: 'text',
    kind: { oneOf: KINDS },
    reason: 'text',
    job_id: 'text?',
    at: 'time',
    text: 'text',
  },
  notification_messages: {
    id: 'text',
    channel: 'text',
    created_at: 'time',
    due_at: 'time',
    attempts: 'count',
    state: { oneOf: MESSAGE_STATES },
    error: 'text?',
    settled_at: 'time?',
    facts: 'objects',
    handle: 'text?',
  },
  notification_shown: { fact: 'text', message: 'text', channel: 'text', settled: 'count' },
  push_subscriptions: {
    id: 'text',
    channel: 'text',
    endpoint: 'text',
    p256dh: 'text',
    auth: 'text',
    label: 'text',
    created_at: 'time',
  },
  notification_channels: {
    channel: 'text',
    failures: 'count',
    failing_since: 'time?',
    error: 'text?',
    retry_at: 'time?',
    sent_at: 'time?',
  },
};
