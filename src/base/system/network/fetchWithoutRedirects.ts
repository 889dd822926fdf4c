import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { readCurrentDispatcher } from './currentDispatcher.ts';
import {
  sendThroughDispatcher,
  type SentRequest,
  type StreamedAnswer,
} from './sendThroughDispatcher.ts';

/** Statuses whose answers have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

const toRequestUrl = (input: string | URL | Request): URL =>
  new URL(input instanceof Request ? input.url : input);

const MAX_TARGET_CHARS = 200;

/** Without the query, which may hold a login. */
function toRedirectTarget(from: URL, location: string | undefined): string {
  if (location === undefined || !URL.canParse(location, from.href)) return '';
  const { origin, pathname } = new URL(location, from.href);
  return ` to ${`${origin}${pathname}`.slice(0, MAX_TARGET_CHARS)}`;
}

export class RedirectError extends Error {
  readonly status: number;

  constructor(url: URL, status: number, location?: string) {
    super(
      `${url.origin} answers ${status}, a redirect${toRedirectTarget(url, location)}, which is not followed.`,
    );
    this.status = status;
  }
}

/**
 * The part of fetch that a model's provider, a tool server and a control plane need. Redirects are refused: a key in
 * a header must not follow them. Not Node's fetch, which can refuse them too, but then (Node 20)
 * loses the signal of the request as soon as the collector runs: an interrupt in the middle of a
 * long answer is never heard.
 */
export const fetchWithoutRedirects: typeof fetch = async (input, init = {}) => {
  const { method = 'GET', headers, body, signal } = init;
  const url = toRequestUrl(input);
  const dispatcher = readCurrentDispatcher();
  const sentRequest: SentRequest = {
    method,
    headers: Object.fromEntries(new Headers(headers)),
    body: typeof body === 'string' || body instanceof Uint8Array ? body : undefined,
    signal,
  };
  const answer = await (dispatcher === null
    ? sendDirectly(url, sentRequest)
    : sendThroughDispatcher(dispatcher, url, sentRequest));
  // The reader of the body gets this error from the body itself.
  answer.body.on('error', () => {});
  const { status } = answer;
  if (status >= 300 && status < 400 && status !== 304) {
    answer.body.destroy();
    throw new RedirectError(url, status, answer.headers.location);
  }
  const headerPairs = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
  );
  const content = WITHOUT_BODY.has(status) ? null : toWebStream(answer.body);
  if (content === null) answer.body.resume();
  return new Response(content, { status, headers: headerPairs });
};

/** Over Node's own HTTP client. */
const sendDirectly = (
  url: URL,
  { method, headers, body, signal }: SentRequest,
): Promise<StreamedAnswer> =>
  new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    // Node's shared agent keeps a connection that a request wants closed, where the answer says
    // keep-alive; the server refuses what comes over it next.
    const isLast = headers.connection === 'close';
    const req = send(url, { method, headers, ...(isLast ? { agent: false } : {}) });
    const abort = () => {
      reject(new DOMException('The request was aborted.', 'AbortError'));
      // Without an error of ours: a socket that was just given back has no listener for it, and an
      // unhandled error ends the process.
      req.destroy();
    };
    req.on('error', reject);
    req.once('close', () => signal?.removeEventListener('abort', abort));
    req.once('response', (res) =>
      resolve({ status: res.statusCode ?? 0, headers: res.headers, body: res }),
    );
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
    req.end(body);
  });

/** Bytes as they come; cancelling closes the connection, and a broken stream is an error. */
function toWebStream(source: Readable): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel() {
      source.destroy();
    },
  });
}
