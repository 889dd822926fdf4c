import { PAGE_KEY_HEADER } from '../../src/base/http/ownHeaders.ts';
import { readPushRecord, writePushRecord } from './pushRecord.ts';
import { toBrowserId } from './toBrowserId.ts';
import { toNewSubscription } from './toNewSubscription.ts';

/**
 * The browser has replaced or ended its subscription: makes sure of a new one, and sends it to the runner in
 * place of the one before. `renewed`: null where the browser leaves that to the worker. Resolves with whether
 * messages come again, true also for a browser that was not turned on. Rejects where browser or runner do not answer.
 */
export async function renewSubscription(
  { pushManager }: Pick<ServiceWorkerRegistration, 'pushManager'>,
  renewed: PushSubscription | null,
): Promise<boolean> {
  const record = await readPushRecord();
  if (record === null) return true;
  const { channel, browserId, publicKey, pageKey } = record;
  const subscription =
    renewed ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
  const newId = await toBrowserId(subscription.endpoint);
  const { ok } = await fetch(`/notifications/channels/${encodeURIComponent(channel)}/browsers`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(pageKey === null ? {} : { [PAGE_KEY_HEADER]: pageKey }),
    },
    body: JSON.stringify({ ...toNewSubscription(subscription), replaces: browserId }),
  });
  if (ok) await writePushRecord({ ...record, browserId: newId });
  return ok;
}
