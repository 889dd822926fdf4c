import type { lookup as resolve } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { SvcError } from '../../errors/errors.ts';
import { isInner } from './innerAddresses.ts';
import { readCurrentNetwork } from './network.ts';
import { sendThroughDispatcher, type StreamedAnswer } from './sendThroughDispatcher.ts';

/** Largest answer, bytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export type ResolveName = typeof resolve;

export interface AddressGuard {
  /** Whether a host may be reached though it is an inner one. Lower case, without brackets and port. */
  isAllowed(host: string): boolean;
  /** The error where it may not. */
  createRefusal(host: string): SvcError;
  resolver: ResolveName;
}

export interface GuardedSending {
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | undefined;
  /** Ends the request. */
  signal: AbortSignal;
}

/** What came back, whole. */
export interface GuardedReply {
  status: number;
  text: string;
  /** The header `Retry-After`, if the answer has one. */
  retryAfter?: string;
}

const readHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

/**
 * Sends a request and follows no redirect. Addresses are tested when connecting, so that a second
 * DNS answer cannot slip in. Throws what `createRefusal` makes for an inner address, and the error of
 * Node's client for everything else that goes wrong.
 */
export async function sendGuarded(
  url: URL,
  sending: GuardedSending,
  { isAllowed, createRefusal, resolver }: AddressGuard,
): Promise<GuardedReply> {
  const host = readHost(url);
  const free = isAllowed(host);
  // A literal address is connected to without a look-up, so it is tested here.
  if (!free && isIP(host) !== 0 && isInner(host)) throw createRefusal(host);
  const lookup: LookupFunction = (name, options, callback) =>
    resolver(name, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      if (!free && addresses.some(({ address }) => isInner(address)))
        return callback(createRefusal(host), '');
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return first
        ? callback(null, first.address, first.family)
        : callback(new Error(`${name} has no address`), '');
    });
  return (readCurrentNetwork().dispatcher === null ? sendDirectly : sendThroughProxies)(
    url,
    sending,
    lookup,
  );
}

async function readReply({ status, headers, body }: StreamedAnswer): Promise<GuardedReply> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES)
      throw new Error(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  const { 'retry-after': retryAfter } = headers;
  const text = Buffer.concat(parts).toString('utf8');
  return { status, text, ...(retryAfter === undefined ? {} : { retryAfter }) };
}

/**
 * Sends through the proxies of this process. The proxy decides what it reaches, but a name that
 * this machine resolves to an inner address is still refused.
 */
async function sendThroughProxies(
  url: URL,
  sending: GuardedSending,
  lookup: LookupFunction,
): Promise<GuardedReply> {
  await new Promise<void>((resolve, reject) => {
    lookup(readHost(url), {}, (error) => (error instanceof SvcError ? reject(error) : resolve()));
  });
  const { dispatcher, close } = await readCurrentNetwork().carrierWith(lookup);
  try {
    return await readReply(await sendThroughDispatcher(dispatcher, url, sending));
  } finally {
    await close();
  }
}

const sendDirectly = (
  url: URL,
  { body, ...options }: GuardedSending,
  lookup: LookupFunction,
): Promise<GuardedReply> =>
  new Promise((resolveAnswer, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    // No agent: a kept connection would skip the test of the address.
    const outgoing = start(url, { ...options, lookup, agent: false }, (response) => {
      readReply({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: response,
      }).then(resolveAnswer, reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
