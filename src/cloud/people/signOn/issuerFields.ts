import { SvcError } from '../../../base/errors/errors.ts';
import { isLoopbackAddress } from '../../../base/http/isLoopbackAddress.ts';

/** A name in DNS with at least one dot, in lower case. */
const DOMAIN = /^(?=.{3,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** Whether only this machine is asked, so that plain HTTP is safe. */
export function isLocalIssuer(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'http:' && (hostname === 'localhost' || isLoopbackAddress(hostname));
}

/** Throws SvcError `bad-argument`. */
export function checkIssuerAddress(givenUrl: string): string {
  const url = URL.canParse(givenUrl) ? new URL(givenUrl) : null;
  const isSafe = url !== null && (url.protocol === 'https:' || isLocalIssuer(givenUrl));
  if (!isSafe || `${url.search}${url.hash}${url.username}${url.password}` !== '')
    throw new SvcError(
      'bad-argument',
      `The issuer is "${givenUrl}", but must be an https address such as https://login.example.com, as the issuer names itself.`,
    );
  return givenUrl;
}

/** In lower case. Throws SvcError `bad-argument`. */
export function checkDomains(givenDomains: readonly string[]): readonly string[] {
  const domains = givenDomains.map((domain) => domain.trim().toLowerCase().replace(/^@/, ''));
  const wrong = domains.find((domain) => !DOMAIN.test(domain));
  if (wrong !== undefined)
    throw new SvcError('bad-argument', `"${wrong}" is not a domain such as example.com.`);
  if (domains.length === 0)
    throw new SvcError(
      'bad-argument',
      'Name the domains of the addresses that may log in: --domain example.com',
    );
  return [...new Set(domains)];
}
