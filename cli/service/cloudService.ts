import { readFile } from 'node:fs/promises';
import { Flags } from '@oclif/core';
import Type from 'typebox';
import { Check } from 'typebox/value';
import { SvcError } from '../../src/base/errors/errors.ts';
import { parseJsonOrNull } from '../../src/base/json/parseJsonOrNull.ts';
import type { Env } from '../../src/host/config/home/env.ts';
import { parseCloudStartFlags } from '../input/parseCloudStartFlags.ts';
import type { Io } from '../io.ts';
import { decodeServiceFile } from './installService.ts';

/** Longest wait for an answer of the control plane, ms. */
const ANSWER_MS = 3_000;

/** Of `svc cloud start`, for its service. */
export const cloudServiceFlags = {
  port: Flags.string({
    description: 'With --cloud: port to listen on.',
    helpValue: '<port>',
    dependsOn: ['cloud'],
  }),
  host: Flags.string({
    description:
      'With --cloud: address to listen on. Another one than loopback needs --public-url.',
    helpValue: '<address>',
    dependsOn: ['cloud'],
  }),
  'public-url': Flags.string({
    description: 'With --cloud: address at which people and runners reach the control plane.',
    helpValue: '<url>',
    dependsOn: ['cloud'],
  }),
  'node-url': Flags.string({
    description: 'With --cloud: address at which the other nodes reach this one.',
    helpValue: '<url>',
    dependsOn: ['cloud'],
  }),
  'trust-proxy': Flags.string({
    description:
      'With --cloud: addresses or ranges of the proxies in front, such as 127.0.0.1,10.0.0.0/8.',
    helpValue: '<addresses>',
    dependsOn: ['cloud'],
  }),
  'install-postgres': Flags.boolean({
    description: 'With --cloud: install PostgreSQL into the home if this machine has none.',
    dependsOn: ['cloud'],
  }),
};

interface CloudServiceFlags {
  port: string | undefined;
  host: string | undefined;
  'public-url': string | undefined;
  'node-url': string | undefined;
  'trust-proxy': string | undefined;
  'install-postgres': boolean;
}

export interface CloudServicePlace {
  /** Flags of `svc cloud start`. */
  more: string[];
  /** Where this machine finds it. */
  url: string;
  publicUrl: string;
}

const formatServedUrl = (host: string, port: number): string => {
  const plain = host.replace(/^\[|\]$/g, '');
  const reachableHost = plain === '0.0.0.0' || plain === '::' ? '127.0.0.1' : plain;
  return `http://${reachableHost.includes(':') ? `[${reachableHost}]` : reachableHost}:${port}`;
};

/** Throws SvcError `bad-argument` for what `svc cloud start` would refuse. */
export function readCloudPlace(flags: CloudServiceFlags, env: Env): CloudServicePlace {
  const flagTexts = (['port', 'host', 'public-url', 'node-url', 'trust-proxy'] as const).flatMap(
    (name) => (flags[name] === undefined ? [] : [`--${name}`, flags[name]]),
  );
  const more = [...flagTexts, ...(flags['install-postgres'] ? ['--install-postgres'] : [])];
  const { host, port, publicUrl } = parseCloudStartFlags(more, env.DATABASE_URL);
  if (port === 0)
    throw new SvcError('bad-argument', '--port is 0, but a service needs one that stays the same.');
  // Written out, so that the file says where it listens.
  const rest = more.filter(
    (word, n) => ![word, more[n - 1]].some((one) => one === '--port' || one === '--host'),
  );
  return {
    more: ['--host', host, '--port', String(port), ...rest],
    url: formatServedUrl(host, port),
    publicUrl: publicUrl ?? `http://localhost:${port}`,
  };
}

/** Where the control plane of an installed service listens; null = its file does not say. */
export async function readServedUrl(file: string): Promise<string | null> {
  const text = decodeServiceFile(await readFile(file));
  const find = (flag: string) =>
    new RegExp(`--${flag}(?:"|</string>)\\s*(?:"|<string>)([^"<]+)`).exec(text)?.[1];
  const [host, port] = [find('host'), Number(find('port'))];
  return host === undefined || !(port > 0) ? null : formatServedUrl(host, port);
}

const Answer = Type.Object({
  version: Type.String(),
  nodeId: Type.String(),
  databaseReachable: Type.Boolean(),
  runnersConnected: Type.Union([Type.Integer(), Type.Null()]),
});

export interface FoundControlPlane extends Type.Static<typeof Answer> {
  url: string;
}

/** The control plane at an address; null where none answers. */
export async function findControlPlane(
  { fetch }: Pick<Io, 'fetch'>,
  url: string,
): Promise<FoundControlPlane | null> {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const value = parseJsonOrNull(await answer.text());
    if (!Check(Answer, value)) return null;
    const { version, nodeId, databaseReachable, runnersConnected } = value;
    return { url, version, nodeId, databaseReachable, runnersConnected };
  } catch {
    return null;
  }
}
