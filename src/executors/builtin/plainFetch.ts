import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';

/** Statuses whose answers have no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

const addressOf = (input: string | URL | Request): URL => new URL(input instanceof Request ? input.url : input);

/**
 * The part of fetch that a model's provider needs, over Node's own HTTP client. Not Node's fetch: it holds on to the signal of a
 * request so weakly that the collector takes it away in the middle of a long answer, and an interrupt is then never heard. Redirects are
 * refused: a key in a header must not follow them.
 */
export const plainFetch: typeof fetch = (input, init = {}) =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers, body, signal } = init;
    const url = addressOf(input);
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const req = send(url, { method, headers: Object.fromEntries(new Headers(headers)) });
    const abort = () => void req.destroy(new DOMException('The request was aborted.', 'AbortError'));
    const release = () => signal?.removeEventListener('abort', abort);
    req.once('error', reject);
    req.once('close', release);
    req.once('response', (res) => {
      const status = res.statusCode ?? 0;
      if (status >= 300 && status < 400 && status !== 304) {
        res.destroy();
        reject(new Error(`${url.origin} answers ${status}, a redirect, which is not followed.`));
        return;
      }
      const given = Object.entries(res.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
      );
      const content = WITHOUT_BODY.has(status) ? null : webStream(res);
      resolve(new Response(content, { status, statusText: res.statusMessage ?? '', headers: given }));
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
    req.end(typeof body === 'string' ? body : undefined);
  });

/** Bytes as they come; a cancelled stream closes the connection, and one that breaks off is an error. */
function webStream(source: Readable): ReadableStream<Uint8Array> {
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
