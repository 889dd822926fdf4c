import { BROKEN_ROWS_HEADER, PAGE_KEY_HEADER } from '../../base/http/ownHeaders.ts';
import { refuseBad, toUnreachableError } from './problem.ts';

export interface TransportOptions {
  /** Such as `http://127.0.0.1:3000`; in a browser the origin of the page. */
  baseUrl: string;
  /** Content of runner.token; without it a browser sends the cookie of its login. */
  token?: string | null;
  /**
   * Second secret of a browser's login, sent with requests that may change something; null = none.
   * Read for each request.
   */
  pageKey?: () => string | null;
  /**
   * Sent as User-Agent, which a browser does not let a page choose; default: what the platform
   * sends.
   */
  userAgent?: string;
  /** Called for a reply that leaves out stored rows that cannot be read, with their number. */
  onBrokenRows?: (count: number) => void;
  /** Default: the global one. */
  fetch?: typeof globalThis.fetch;
}

export interface RequestOptions {
  /**
   * A command sent twice with the same key runs once. 1 to 128 printable ASCII characters.
   */
  idempotencyKey?: string;
  ifMatch?: string;
  lastEventId?: number | string;
  signal?: AbortSignal;
  /** Media type of the reply; default: what the route answers first. */
  accept?: string;
}

interface RequestParts extends RequestOptions {
  query?: object;
  body?: object;
}

const formatSearch = (query: object): string => {
  const givenParams = Object.entries(query).filter(([, value]) => value !== undefined);
  return givenParams.length === 0
    ? ''
    : `?${new URLSearchParams(givenParams.map(([name, value]): [string, string] => [name, String(value)]))}`;
};

export function createTransport({
  baseUrl,
  token,
  pageKey,
  userAgent,
  onBrokenRows,
  fetch = globalThis.fetch,
}: TransportOptions) {
  const base = baseUrl.replace(/\/+$/, '');

  async function open(method: string, path: string, parts: RequestParts = {}): Promise<Response> {
    const { query = {}, body, idempotencyKey, ifMatch, lastEventId, signal, accept } = parts;
    const headers = new Headers();
    if (token) headers.set('Authorization', `Bearer ${token}`);
    if (userAgent !== undefined) headers.set('User-Agent', userAgent);
    const key = method === 'GET' ? null : (pageKey?.() ?? null);
    if (key !== null) headers.set(PAGE_KEY_HEADER, key);
    if (accept !== undefined) headers.set('Accept', accept);
    if (body) headers.set('Content-Type', 'application/json');
    if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
    if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
    if (lastEventId !== undefined) headers.set('Last-Event-ID', String(lastEventId));
    const init = {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
      ...(signal ? { signal } : {}),
    };
    let response: Response;
    try {
      response = await fetch(`${base}${path}${formatSearch(query)}`, init);
    } catch (thrown) {
      throw toUnreachableError(thrown, base);
    }
    const brokenCount = Number(response.headers.get(BROKEN_ROWS_HEADER) ?? 0);
    if (brokenCount > 0) onBrokenRows?.(brokenCount);
    return refuseBad(response);
  }

  return { baseUrl: base, open };
}

export type Transport = ReturnType<typeof createTransport>;
