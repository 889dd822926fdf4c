import type { PushMessage } from '../../src/contract/schema/runner/pushMessage.ts';
import { parsePushMessage } from './parsePushMessage.ts';

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
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void;
}
interface WaitingEvent {
  /** Keeps the worker alive until then. */
  waitUntil(work: Promise<unknown>): void;
}
interface PushedEvent extends WaitingEvent {
  readonly data: { text(): string } | null;
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

// A new version is used from the next message on; it holds nothing that an older page needs.
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('push', (event) =>
  event.waitUntil(show(parsePushMessage(event.data?.text() ?? ''))),
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
