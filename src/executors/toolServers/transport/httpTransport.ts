import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Clock } from '../../../base/time/clock.ts';
import { fetchWithoutRedirects } from '../../../base/system/network/fetchWithoutRedirects.ts';
import { watchFetch } from './watchFetch.ts';

/** How long reading the rest of a finished stream may take, ms. */
const READ_MS = 250;
/** How a broken stream is resumed: waits in ms, and most failures in a row. */
const RESUMPTION = {
  initialReconnectionDelay: 500,
  reconnectionDelayGrowFactor: 2,
  maxReconnectionDelay: 5_000,
  maxRetries: 4,
};
/** Error code of the answer that replaces a missing one. */
const CONNECTION_CLOSED = -32_000;

/** Error of a request whose stream broke off. */
export const BROKEN_STREAM = 'the stream of its answer broke off';

interface HttpServer {
  url: string;
  headers: Readonly<Record<string, string>>;
  clock: Clock;
}

/**
 * A new connection for each request: a restarting server may close a kept one, and then no one
 * knows whether it has read the request.
 */
const fetchOnFreshConnection: typeof fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  return fetchWithoutRedirects(input, { ...init, headers });
};

// The SDK's transports do not satisfy the SDK's interface under exactOptionalPropertyTypes.
const castToTransport = (transport: unknown): Transport => transport as Transport;

export function createStreamable({ url, headers, clock }: HttpServer): Transport {
  const waiting = new Set<() => void>();
  let isClosed = false;
  const onStreamEnd = (id: string | number): void => {
    const answer = () =>
      inner.onmessage?.({
        jsonrpc: '2.0',
        id,
        error: { code: CONNECTION_CLOSED, message: BROKEN_STREAM },
      });
    if (isClosed) return;
    const cancel = clock.at(clock.now() + READ_MS, () => {
      waiting.delete(cancel);
      answer();
    });
    waiting.add(cancel);
  };
  const inner = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { ...headers } },
    reconnectionOptions: RESUMPTION,
    fetch: watchFetch({
      fetch: fetchOnFreshConnection,
      maxResumptions: RESUMPTION.maxRetries,
      onStreamEnd,
    }),
  });
  const close = inner.close.bind(inner);
  inner.close = () => {
    isClosed = true;
    for (const cancel of waiting) cancel();
    return close();
  };
  return castToTransport(inner);
}

/** A server over the older transport: an event stream and an address for messages. */
export const createSse = ({ url, headers }: HttpServer): Transport =>
  castToTransport(
    new SSEClientTransport(new URL(url), {
      requestInit: { headers: { ...headers } },
      fetch: fetchOnFreshConnection,
    }),
  );
