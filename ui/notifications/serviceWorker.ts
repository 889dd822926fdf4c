import type { PushMessage } from '../../src/contract/schema/runner/pushMessage.ts';
import { parsePushMessage } from './parsePushMessage.ts';
import { renewSubscription } from './renewSubscription.ts';

/** What a service worker has and the types of a page do not. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(options: { type: 'window' }): Promise<readonly PageClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WaitingEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushedEvent) => void): void;
  addEventListener(
    type: 'pushsubscriptionchange',
    listener: (event: SubscriptionChangeEvent) => void,
  ): void;
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void;
}
interface WaitingEvent {
  /** Keeps the worker alive until then. */
  waitUntil(work: Promise<unknown>): void;
}
interface PushedEvent extends WaitingEvent {
  readonly data: { text(): string } | null;
}
interface SubscriptionChangeEvent extends WaitingEvent {
  /** Left out by browsers that leave the new one to the worker. */
  readonly newSubscription?: PushSubscription | null;
}
interface ClickEvent extends WaitingEvent {
  readonly notification: Notification;
}
interface PageClient {
  readonly url: string;
  focus(): Promise<PageClient>;
  navigate(url: string): Promise<unknown>;
}

declare const self: WorkerScope;

const SUBSCRIPTION_LOST: Omit<PushMessage, 'at'> = {
  title: 'svc no longer notifies this browser',
  body: 'The browser has ended its subscription, and the runner did not take a new one. Open Notifications to turn it on again.',
  tag: 'subscription',
  hash: '#/notifications',
  silent: false,
};

// A new version is used from the next message on; it holds nothing that an older page needs.
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) =>
  event.waitUntil(show(parsePushMessage(event.data?.text() ?? ''))),
);
self.addEventListener('pushsubscriptionchange', (event) =>
  event.waitUntil(renew(event.newSubscription ?? null)),
);
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(String(Object(event.notification.data).hash ?? '')));
});

/** Browsers end a subscription whose messages show nothing, so each one shows something. */
function show({ title, body, tag, hash, at, silent }: PushMessage): Promise<void> {
  const { scope } = self.registration;
  const options: NotificationOptions & { renotify: boolean; timestamp: number } = {
    body,
    tag,
    data: { hash },
    icon: new URL('icon-192.png', scope).href,
    silent,
    renotify: !silent,
    timestamp: at,
  };
  return self.registration.showNotification(title, options);
}

/** A browser that gets no more messages says it itself: nothing else would. */
async function renew(renewed: PushSubscription | null): Promise<void> {
  const isRenewed = await renewSubscription(self.registration, renewed).catch(() => false);
  if (!isRenewed) await show({ ...SUBSCRIPTION_LOST, at: Date.now() });
}

/** Opens a page of the dashboard, in a window that has it already where there is one. */
async function open(hash: string): Promise<unknown> {
  const { scope } = self.registration;
  const url = new URL(hash.startsWith('#') ? hash : '', scope).href;
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (page === undefined) return self.clients.openWindow(url);
  // A browser that does not let it come to the front still opens the page.
  await page.focus().catch(() => undefined);
  return page.navigate(url);
}
