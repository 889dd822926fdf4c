/** What the service worker needs to turn this browser on again while no page is open. */
export interface PushRecord {
  channel: string;
  /** Under which the runner knows this browser. */
  browserId: string;
  /** The runner's, base64url. */
  publicKey: string;
  /** Second value of this browser's login; null = the runner asks for none. */
  pageKey: string | null;
}

/** Of this origin, as the storage of a page is, but a worker can read it too. */
const CACHE = 'svc-push';
const ADDRESS = '/push-record';

export async function writePushRecord(record: PushRecord): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.put(ADDRESS, new Response(JSON.stringify(record)));
}

/** null = this browser was not turned on. */
export async function readPushRecord(): Promise<PushRecord | null> {
  const stored = await caches.match(ADDRESS, { cacheName: CACHE });
  return stored === undefined ? null : stored.json();
}

export const forgetPushRecord = (): Promise<boolean> => caches.delete(CACHE);

/** The login has changed. Browsers offer the storage of workers only where web push works too. */
export async function updatePushRecord(pageKey: string | null): Promise<void> {
  if (!('caches' in globalThis)) return;
  const record = await readPushRecord();
  if (record !== null) await writePushRecord({ ...record, pageKey });
}
