import type {
  NewPushSubscription,
  NotificationChannels,
  NotificationTest,
  PushBrowser,
  PushKey,
} from '../schema/runner/notifications.ts';

/** What the outside can ask of the notifications of a runner. */
export interface Notifications {
  /** Every channel of the configuration. */
  channels(): NotificationChannels;
  /** Sends a test message now, whatever rules and quiet hours say. Throws `not-found` for an unknown channel. */
  test(channel: string): Promise<NotificationTest>;
  /** Makes the keys of the runner if it has none. */
  pushKey(): Promise<PushKey>;
  /**
   * From now on a browser gets the messages of a web push channel; one that was turned on before is
   * replaced. With `replaces` it stays the same browser under a new address. Throws `not-found` for an
   * unknown channel or browser, `bad-argument` for a channel of another type and for a subscription that
   * no browser makes, `conflict` above `MOST_BROWSERS` browsers.
   */
  subscribe(channel: string, subscription: NewPushSubscription): Promise<PushBrowser>;
  /** It gets no more, nor what waits for it. Throws `not-found` for an unknown one. */
  unsubscribe(channel: string, browser: string): Promise<void>;
}
