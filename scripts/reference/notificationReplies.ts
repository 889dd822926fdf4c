import {
  NotificationChannels,
  NotificationTest,
} from '../../src/contract/schema/runner/notifications.ts';

/** What `svc notify` prints with --json. */
export const notificationReplies = {
  notify: NotificationChannels,
  'notify:test': NotificationTest,
};
