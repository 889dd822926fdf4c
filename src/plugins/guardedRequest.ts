import { lookup as resolve } from 'node:dns';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import type { GuardedAnswer, GuardedRequest } from '../contract/forge/guardedRequest.ts';
import { toErrorMessage, SvcError } from '../base/errors/errors.ts';
import { readCurrentNetwork } from '../base/system/network/network.ts';
import {
  sendThroughDispatcher,
  type StreamedAnswer,
} from '../base/system/network/sendThroughDispatcher.ts';

/** Longest wait for a whole answer unless the caller says otherwise, ms. */
const TIMEOUT_MS = 10_000;
/** Largest answer, bytes. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Networks that are not the public internet: loopback, private, link-local and cloud metadata,
 * multicast, reserved.
 */
const INNER: readonly (readonly [net: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 96],
  ['64:ff9b::', 96],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

let blockList: BlockList | null = null;
/** Built at the first request, since compiling the address patterns would slow down the start. */
function openInnerAddresses(): BlockList {
  if (blockList !== null) return blockList;
  blockList = new BlockList();
  for (const [net, prefix] of INNER)
    blockList.addSubnet(net, prefix, isIP(net) === 6 ? 'ipv6' : 'ipv4');
  return blockList;
}

/**
 * Whether an IP address belongs to this machine or its network. IPv4-mapped IPv6 is checked as
 * IPv4.
 */
export const isInner = (address: string): boolean =>
  openInnerAddresses().check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

type Resolve = typeof resolve;

/**
 * The command that lets a plugin reach an inner host, together with those already allowed. It
 * replaces an entry for the host with a port.
 */
export function allowHostAdvice(
  plugin: string,
  allowHosts: readonly string[],
  host: string,
): string {
  const withPort = [`${host}:`, `[${host}]`];
  const isMeant = (entry: string) =>
    withPort.some((start) => entry.toLowerCase().startsWith(start)) && isIP(entry) === 0;
  const allowedHost = allowHosts.find(isMeant);
  const others = allowHosts.filter((entry) => !isMeant(entry));
  const why =
    allowedHost === undefined
      ? ''
      : `allowHosts has ${allowedHost}, but takes hosts without a port. `;
  return `${why}Allow it: svc config set plugins.installed.${plugin}.allowHosts '${JSON.stringify([...others, host])}'`;
}

/**
 * Makes a function that requests a URL and follows no redirect. Addresses are tested when
 * connecting, so that a second DNS answer cannot slip in. Inner ones are refused unless
 * `allowHosts` names the host, without its port. `plugin` is the id for messages. Throws SvcError
 * `forbidden` for inner addresses, `unreachable` for every other failure.
 */
export function createGuardedRequest(
  plugin: string,
  allowHosts: readonly string[],
  resolver: Resolve = resolve,
): GuardedRequest {
  const allowedHosts = new Set(allowHosts.map((host) => host.toLowerCase()));

  return async (
    text,
    { method = 'GET', headers = {}, body, timeoutMs = TIMEOUT_MS, signal } = {},
  ) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (
      url === null ||
      (url.protocol !== 'http:' && url.protocol !== 'https:') ||
      url.username !== ''
    ) {
      throw new SvcError(
        'bad-argument',
        'The address must be a URL that begins with http:// or https://, without a user name.',
      );
    }
    const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
    const createRefusal = () =>
      new SvcError(
        'forbidden',
        `${host} is an address of this machine or its network, and ${plugin} may not reach it. ${allowHostAdvice(plugin, allowHosts, host)}`,
      );
    const free = allowedHosts.has(host);
    // A literal address is connected to without a look-up, so it is tested here.
    if (!free && isIP(host) !== 0 && isInner(host)) throw createRefusal();
    const lookup: LookupFunction = (name, options, done) =>
      resolver(name, { ...options, all: true }, (error, addresses) => {
        if (error) return done(error, '');
        if (!free && addresses.some(({ address }) => isInner(address)))
          return done(createRefusal(), '');
        if (options.all) return done(null, addresses);
        const [first] = addresses;
        return first
          ? done(null, first.address, first.family)
          : done(new Error(`${name} has no address`), '');
      });
    const timeout = AbortSignal.timeout(timeoutMs);
    return sendGuarded(url, {
      method,
      headers,
      body,
      lookup,
      timeoutMs,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  };
}

interface GuardedSending {
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  lookup: LookupFunction;
  timeoutMs: number;
  signal: AbortSignal;
}

async function sendGuarded(
  url: URL,
  { timeoutMs, ...sending }: GuardedSending,
): Promise<GuardedAnswer> {
  const { signal } = sending;
  try {
    return await (readCurrentNetwork().dispatcher === null
      ? sendGuardedDirectly
      : sendThroughProxies)(url, sending);
  } catch (error) {
    if (error instanceof SvcError) throw error;
    // The client's error may wrap the one that our look-up threw.
    if (Object(error).cause instanceof SvcError) throw Object(error).cause;
    const why = !signal.aborted
      ? toErrorMessage(error)
      : signal.reason?.name === 'TimeoutError'
        ? `no data arrived within ${timeoutMs / 1000} s`
        : 'the request was cancelled';
    throw new SvcError('unreachable', `${url.host} does not answer: ${why}`);
  }
}

async function readGuardedAnswer({
  status,
  headers,
  body,
}: StreamedAnswer): Promise<GuardedAnswer> {
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
  sending: Omit<GuardedSending, 'timeoutMs'>,
): Promise<GuardedAnswer> {
  const { lookup } = sending;
  await new Promise<void>((resolve, reject) => {
    lookup(url.hostname.replace(/^\[|\]$/g, ''), {}, (error) =>
      error instanceof SvcError ? reject(error) : resolve(),
    );
  });
  const { dispatcher, close } = await readCurrentNetwork().carrierWith(lookup);
  try {
    return await readGuardedAnswer(await sendThroughDispatcher(dispatcher, url, sending));
  } finally {
    await close();
  }
}

const sendGuardedDirectly = (
  url: URL,
  { body, ...options }: Omit<GuardedSending, 'timeoutMs'>,
): Promise<GuardedAnswer> =>
  new Promise((resolveAnswer, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
    // No agent: a kept connection would skip the test of the address.
    const outgoing = start(url, { ...options, agent: false }, (response) => {
      readGuardedAnswer({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: response,
      }).then(resolveAnswer, reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
