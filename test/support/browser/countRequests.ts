import type { Page } from 'playwright-core';

export interface RequestCount {
  /** Addresses that were asked for over the network, without those that the browser had kept. */
  urls: string[];
  /** Bytes of all replies on the wire, headers included. */
  bytes: number;
}

/** Counts what a page asks for from now on; the stream of jobs, which never ends, has no bytes. */
export async function countRequests(page: Page): Promise<() => RequestCount> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const urls = new Map<string, string>();
  let bytes = 0;
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    urls.set(requestId, request.url),
  );
  session.on('Network.requestServedFromCache', ({ requestId }) => urls.delete(requestId));
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.fromDiskCache) urls.delete(requestId);
  });
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  return () => ({ urls: [...urls.values()], bytes });
}
