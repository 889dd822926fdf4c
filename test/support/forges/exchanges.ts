import { appendFileSync } from 'node:fs';
import type { WireAnswer, WireRequest } from './fakeForge/server.ts';

/** A request of svc's and its answer, to be judged by the provider's own description of its API. */
export interface Exchange {
  /** The judge of it: a file of `scripts/openapi/`. */
  provider: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  answer: WireAnswer;
}

/** Headers that say something of the request itself. */
const KEPT = ['accept', 'authorization', 'content-type', 'x-github-api-version'];

/** Keeps an exchange in the file that SVC_EXCHANGES names; without it nothing is kept. */
export function keepExchange(
  provider: string,
  { method, url, headers, text }: Pick<WireRequest, 'method' | 'url' | 'headers' | 'text'>,
  answer: WireAnswer | null,
): void {
  const file = process.env.SVC_EXCHANGES;
  const isOurs = String(headers['user-agent']).startsWith('svc');
  if (file === undefined || answer === null || !isOurs) return;
  // The same request as one that is answered in full.
  if (answer.status === 304) return;
  const keptHeaders = Object.fromEntries(
    KEPT.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
  const path = `${url.pathname}${url.search}`;
  const exchange: Exchange = { provider, method, path, headers: keptHeaders, body: text, answer };
  appendFileSync(file, `${JSON.stringify(exchange)}\n`);
}
