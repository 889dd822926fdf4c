import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as tls from 'node:tls';
import { toErrorMessage, SvcError } from '../../errors/errors.ts';
import type { NetworkSettings } from './variables.ts';

/** Where systems keep the authorities that git trusts unless it is given others. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** What Node trusts; since Node 22.15 it can be more than what comes with it. */
function listUsualAuthorities(): readonly string[] {
  const list: unknown = Reflect.get(tls, 'getCACertificates');
  return typeof list === 'function' ? list('default') : tls.rootCertificates;
}

/** Throws SvcError `bad-argument` for a file without a certificate. */
async function readCertificates(variable: string, file: string): Promise<string[]> {
  const wrong = (why: string) =>
    new SvcError(
      'bad-argument',
      `The environment variable ${variable} names ${file}, ${why}. Name a PEM file with the certificates of your certificate authorities, or unset it.`,
    );
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw wrong(`which cannot be read: ${toErrorMessage(error)}`);
  });
  const match = text.match(CERTIFICATE) ?? [];
  if (match.length === 0) throw wrong('in which no certificate is found');
  for (const one of match) {
    try {
      new X509Certificate(one);
    } catch {
      throw wrong('in which a certificate is damaged');
    }
  }
  return match;
}

/** Trusted authorities, PEM: Node's and the named ones; null where none is named. */
export async function readTrustedAuthorities({
  authorities,
}: NetworkSettings): Promise<string[] | null> {
  if (authorities.length === 0) return null;
  // Several variables usually name one file, the system's, and every certificate in it is parsed.
  const files = authorities.filter(
    ({ file }, n) => authorities.findIndex((other) => other.file === file) === n,
  );
  const pemLists = await Promise.all(
    files.map(({ variable, file }) => readCertificates(variable, file)),
  );
  return [...new Set([...listUsualAuthorities(), ...pemLists.flat()])];
}

/** The text of a file for git, which trusts what a file says and nothing else. */
export async function bundleForGit(authorities: readonly string[]): Promise<string> {
  const system = SYSTEM_BUNDLES.find((file) => existsSync(file));
  const text = system === undefined ? '' : await readFile(system, 'utf8');
  return `${[...new Set([...authorities, ...(text.match(CERTIFICATE) ?? [])])].join('\n')}\n`;
}
