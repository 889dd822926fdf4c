import type { NotificationChannels, NotificationTest } from '../schema/runner/notifications.ts';

/** What the outside can ask of the notifications of a runner. */
export interface Notifications {
  /** Every channel of the configuration. */
  channels(): NotificationChannels;
  /** Sends a test message now, whatever rules and quiet hours say. Throws `not-found` for an unknown channel. */
  test(channel: string): Promise<NotificationTest>;
}
