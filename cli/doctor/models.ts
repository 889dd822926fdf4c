import { connect } from 'node:net';
import { toErrorMessage } from '../../src/base/errors/errors.ts';
import { readCurrentNetwork, type Network } from '../../src/base/system/network/network.ts';
import { sendThroughDispatcher } from '../../src/base/system/network/sendThroughDispatcher.ts';
import type { Settings } from '../../src/contract/schema/runner/settings.ts';
import { ANSWER_MS, type Finding, toErrorFinding, toOkFinding, toSkippedFinding } from './check.ts';

export interface Endpoint {
  plugin: string;
  host: string;
  port: number;
  /** Scheme, host and port. */
  origin: string;
}

/** Every http address in the settings of enabled plugins: only host and port, no secrets. */
export function listHttpEndpoints(plugins: Settings['plugins']): Endpoint[] {
  return Object.entries(plugins).flatMap(([plugin, { enabled = true, config = {} }]) =>
    enabled
      ? Object.values(config).flatMap((value) => {
          const url =
            typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value)
              ? new URL(value)
              : null;
          if (url === null) return [];
          const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
          const { origin, hostname } = url;
          return [{ plugin, host: hostname.replace(/^\[|\]$/g, ''), port, origin }];
        })
      : [],
  );
}

/** null = something answers there, by way of a proxy; else why not. */
const probeThroughProxy = (
  dispatcher: NonNullable<Network['dispatcher']>,
  { origin }: Endpoint,
): Promise<string | null> =>
  sendThroughDispatcher(dispatcher, new URL(origin), {
    method: 'HEAD',
    headers: {},
    signal: AbortSignal.timeout(ANSWER_MS),
  }).then(
    ({ body }) => {
      body.resume();
      return null;
    },
    (error: unknown) => toErrorMessage(error),
  );

/** null = something listens there; else why not. */
const probeEndpoint = ({ host, port }: Endpoint): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const reportDone = (why: string | null) => {
      socket.destroy();
      resolve(why);
    };
    socket.setTimeout(ANSWER_MS, () => reportDone(`no answer within ${ANSWER_MS / 1000} s`));
    socket.once('connect', () => reportDone(null));
    socket.once('error', (error: NodeJS.ErrnoException) => reportDone(error.code ?? error.message));
  });

/** Only checks whether they listen: a key is never sent. */
export async function checkModels(plugins: Settings['plugins']): Promise<Finding> {
  const endpoints = listHttpEndpoints(plugins);
  if (endpoints.length === 0) return toSkippedFinding('no plugin has an address in its settings');
  const { dispatcher } = readCurrentNetwork();
  const results = await Promise.all(
    endpoints.map(async (endpoint) => ({
      ...endpoint,
      why: await (dispatcher === null
        ? probeEndpoint(endpoint)
        : probeThroughProxy(dispatcher, endpoint)),
    })),
  );
  const name = ({ plugin, host, port }: Endpoint): string => `${plugin}: ${host}:${port}`;
  const unreachable = results.filter(({ why }) => why !== null);
  if (unreachable.length === 0) return toOkFinding(results.map(name).join(', '));
  return toErrorFinding(
    unreachable.map((one) => `${name(one)} cannot be reached (${one.why})`).join('; '),
    `Check the network and ${[...new Set(unreachable.map(({ plugin }) => `plugins.installed.${plugin}.config`))].join(', ')}.`,
  );
}
