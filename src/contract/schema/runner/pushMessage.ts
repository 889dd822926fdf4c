/** What a service worker of the dashboard shows (`ui/notifications/serviceWorker.ts`). */
export interface PushMessage {
  title: string;
  body: string;
  /** A later message with the same tag replaces it. */
  tag: string;
  /** Page of the dashboard, such as `#/jobs/x`. */
  hash: string;
  /** When it was begun, epoch ms. */
  at: number;
  /** Whether it makes no sound: what it says of has been settled. */
  silent: boolean;
}
