import type { NewPushSubscription } from '../../src/contract/schema/runner/notifications.ts';
import { nameBrowser } from './nameBrowser.ts';

/** What the runner is sent of a subscription of this browser. */
export function toNewSubscription(
  subscription: Pick<PushSubscription, 'toJSON'>,
): NewPushSubscription {
  const { endpoint, keys } = subscription.toJSON();
  return {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' },
    label: nameBrowser(navigator.userAgent),
  };
}
