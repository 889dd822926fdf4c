import { findPageFolder } from '../shell/navigation/router.ts';
import { nameBrowser } from './nameBrowser.ts';

/** Why this browser cannot get messages; null = it can, as far as is known. */
export type PushObstacle = 'insecure' | 'unsupported' | 'home-screen' | 'denied';

const isApplePhone = (): boolean => /\b(iPhone|iPad)\b/.test(navigator.userAgent);

export function findPushObstacle(): PushObstacle | null {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return isApplePhone() ? 'home-screen' : 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : null;
}

const ID_CHARS = 32;

/** The id of a browser by its address, as the runner computes it. */
async function toBrowserId(endpoint: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
  return [...new Uint8Array(digest)]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .slice(0, ID_CHARS);
}

const findRegistration = (): Promise<ServiceWorkerRegistration | undefined> =>
  navigator.serviceWorker.getRegistration(findPageFolder(location));

/** Id under which the runner knows this browser if it was turned on; null = it was not. */
export async function findOwnBrowserId(): Promise<string | null> {
  if (!window.isSecureContext || !('serviceWorker' in navigator)) return null;
  const subscription = await (await findRegistration())?.pushManager.getSubscription();
  return subscription ? toBrowserId(subscription.endpoint) : null;
}

/** Asks the person, where they were not asked yet. To be called in the task of their click. */
export const askForPush = async (): Promise<boolean> =>
  (await Notification.requestPermission()) === 'granted';

interface OwnSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  label: string;
}

/** Lets the runner with a key push to this browser. An older subscription for another key ends. */
export async function subscribeBrowser(publicKey: string): Promise<OwnSubscription> {
  const folder = findPageFolder(location);
  await navigator.serviceWorker.register(`${folder}serviceWorker.js`, { scope: folder });
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  if (known !== null && !isForKey(known, publicKey)) await known.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  return {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
    label: nameBrowser(navigator.userAgent),
  };
}

function isForKey({ options }: PushSubscription, publicKey: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '') === publicKey;
}

export async function unsubscribeBrowser(): Promise<void> {
  await (await (await findRegistration())?.pushManager.getSubscription())?.unsubscribe();
}
