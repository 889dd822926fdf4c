import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/** An answer whose body has not been read. Redirects are answers. */
export interface StreamedAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

export interface SentRequest {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | undefined;
  /** Ends the request, and the answer's body with an error. */
  signal?: AbortSignal | null | undefined;
}

/** One request through the dispatcher, without a limit of time: the signal sets it. */
export async function sendThroughDispatcher(
  dispatcher: Dispatcher,
  url: URL,
  { method, headers, body, signal }: SentRequest,
): Promise<StreamedAnswer> {
  const answer = await dispatcher.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: method as Dispatcher.HttpMethod,
    headers: { ...headers },
    headersTimeout: 0,
    bodyTimeout: 0,
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.body };
}
