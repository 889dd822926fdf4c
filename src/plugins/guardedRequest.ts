import { lookup as resolve } from 'node:dns';
import { isIP } from 'node:net';
import type { GuardedRequest } from '../contract/forge/guardedRequest.ts';
import { toErrorMessage, SvcError } from '../base/errors/errors.ts';
import { type ResolveName, sendGuarded } from '../base/system/network/sendGuarded.ts';

/** Longest wait for a whole answer unless the caller says otherwise, ms. */
const TIMEOUT_MS = 10_000;

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
  resolver: ResolveName = resolve,
): GuardedRequest {
  const allowedHosts = new Set(allowHosts.map((host) => host.toLowerCase()));
  const guard = {
    isAllowed: (host: string) => allowedHosts.has(host),
    createRefusal: (host: string) =>
      new SvcError(
        'forbidden',
        `${host} is an address of this machine or its network, and ${plugin} may not reach it. ${allowHostAdvice(plugin, allowHosts, host)}`,
      ),
    resolver,
  };

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
    const timeout = AbortSignal.timeout(timeoutMs);
    const ending = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      return await sendGuarded(url, { method, headers, body, signal: ending }, guard);
    } catch (error) {
      if (error instanceof SvcError) throw error;
      // The client's error may wrap the one that the look-up threw.
      if (Object(error).cause instanceof SvcError) throw Object(error).cause;
      const why = !ending.aborted
        ? toErrorMessage(error)
        : ending.reason?.name === 'TimeoutError'
          ? `no data arrived within ${timeoutMs / 1000} s`
          : 'the request was cancelled';
      throw new SvcError('unreachable', `${url.host} does not answer: ${why}`);
    }
  };
}
