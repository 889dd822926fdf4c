import type { NewPushSubscription } from '../../src/contract/schema/runner/notifications.ts';
import { findPageFolder } from '../shell/navigation/router.ts';
import { forgetPushRecord } from './pushRecord.ts';
import { toBrowserId } from './toBrowserId.ts';
import { toNewSubscription } from './toNewSubscription.ts';

/** Why this browser cannot get messages; null = it can, as far as is known. */
export type PushObstacle = 'insecure' | 'unsupported' | 'home-screen' | 'denied';

const isApplePhone = (): boolean => /\b(iPhone|iPad)\b/.test(navigator.userAgent);

export function findPushObstacle(): PushObstacle | null {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return isApplePhone() ? 'home-screen' : 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : null;
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

/** Lets the runner with a key push to this browser. An older subscription for another key ends. */
export async function subscribeBrowser(publicKey: string): Promise<NewPushSubscription> {
  const folder = findPageFolder(location);
  await navigator.serviceWorker.register(`${folder}serviceWorker.js`, { scope: folder });
  const { pushManager } = await navigator.serviceWorker.ready;
  const known = await pushManager.getSubscription();
  if (known !== null && !isForKey(known, publicKey)) await known.unsubscribe();
  const subscription = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  return toNewSubscription(subscription);
}

function isForKey({ options }: PushSubscription, publicKey: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '') === publicKey;
}

export async function unsubscribeBrowser(): Promise<void> {
  await forgetPushRecord();
  await (await (await findRegistration())?.pushManager.getSubscription())?.unsubscribe();
}
