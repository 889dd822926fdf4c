import { rename, writeFile } from 'node:fs/promises';
import type { Agent } from 'node:http';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import { bundleForGit, readTrustedAuthorities } from './authorities.ts';
import { setCurrentDispatcher } from './currentDispatcher.ts';
import { createSocketAgent } from './socketAgent.ts';
import {
  listProxySecrets,
  buildProxyVariables,
  readNetworkVariables,
  type NetworkSettings,
} from './variables.ts';
import { isLoopbackAddress } from '../../http/isLoopbackAddress.ts';

interface Carrier {
  dispatcher: Dispatcher;
  /** Closes its connections, those in use too. */
  close(): Promise<void>;
}

/**
 * What carries requests: through the proxies that the settings name, and with their authorities.
 * This machine is never reached through a proxy. `lookup`: finds the address of a host that is
 * reached directly. undici is loaded for those who need it alone.
 */
async function createDispatcher(
  { httpProxy, httpsProxy, noProxy }: Omit<NetworkSettings, 'authorities'>,
  ca: readonly string[] | null,
  lookup?: LookupFunction,
): Promise<Carrier> {
  // The default export: in a bundle, a CommonJS package has no other.
  const { Agent, EnvHttpProxyAgent } = (await import('undici')).default;
  const tls = ca === null ? {} : { ca: [...ca] };
  const connect = { ...tls, ...(lookup ? { lookup } : {}) };
  const direct = new Agent({ connect });
  if (httpProxy === null && httpsProxy === null)
    return { dispatcher: direct, close: () => direct.destroy() };
  const proxyAgent = new EnvHttpProxyAgent({
    // An empty text means no proxy; if it were left out, undici would read the environment.
    httpProxy: httpProxy ?? '',
    httpsProxy: httpsProxy ?? '',
    noProxy,
    connect,
    requestTls: tls,
    proxyTls: tls,
    // Many proxies allow CONNECT to port 443 only, so plain HTTP is requested by its full address.
    proxyTunnel: false,
  });
  const dispatcher = proxyAgent.compose(
    (dispatch) => (options, handler) =>
      isLoopbackAddress(new URL(String(options.origin)).hostname)
        ? direct.dispatch(options, handler)
        : dispatch(options, handler),
  );
  return {
    dispatcher,
    async close() {
      await Promise.all([proxyAgent.destroy(), direct.destroy()]);
    },
  };
}

/** In the home: every certificate authority that git trusts. */
const BUNDLE = 'ca-bundle.pem';

export interface Network {
  /** Carries requests that do not use `fetch`; null = Node's own connections are used. */
  dispatcher: Dispatcher | null;
  /** A carrier for a single request, which looks up direct connections like this. */
  carrierWith(lookup: LookupFunction): Promise<Carrier>;
  /** Carries a WebSocket to this address; null = Node's own connections do. */
  createSocketAgent(url: URL): Agent | null;
  /** Variables of a git that uses the network. */
  gitEnvironment: Readonly<Record<string, string>>;
}

const DIRECT: Network = {
  dispatcher: null,
  carrierWith: (lookup) =>
    createDispatcher({ httpProxy: null, httpsProxy: null, noProxy: '' }, null, lookup),
  createSocketAgent: () => null,
  gitEnvironment: {},
};

/** One per process, like the environment that it comes from. */
let current: Network = DIRECT;

export const readCurrentNetwork = (): Network => current;

export interface OpenedNetwork {
  /** Passwords of proxies, to be taken out of everything that is stored or shown. */
  secrets: string[];
  /** Back to Node's own ways. */
  close(): Promise<void>;
}

const isDefaultNetwork = ({ httpProxy, httpsProxy, authorities }: NetworkSettings): boolean =>
  httpProxy === null && httpsProxy === null && authorities.length === 0;

/**
 * Lets every request of this process, and git's, go through the proxies that the environment names,
 * and trust its certificate authorities. `dir`: folder for a file that git reads;
 * null = this process runs no git. Throws SvcError `bad-argument` for a variable that cannot be
 * used.
 */
export async function openNetwork(
  env: Readonly<Record<string, string | undefined>>,
  dir: string | null,
): Promise<OpenedNetwork> {
  const settings = readNetworkVariables(env);
  if (isDefaultNetwork(settings)) return { secrets: [], close: async () => {} };
  const ca = await readTrustedAuthorities(settings);
  const { getGlobalDispatcher, setGlobalDispatcher } = (await import('undici')).default;
  const { dispatcher, close } = await createDispatcher(settings, ca);
  const before = getGlobalDispatcher();
  current = {
    dispatcher,
    carrierWith: (lookup) => createDispatcher(settings, ca, lookup),
    createSocketAgent: (url) => createSocketAgent(url, settings, ca),
    gitEnvironment: {
      ...buildProxyVariables(settings),
      ...(ca === null || dir === null
        ? {}
        : { GIT_SSL_CAINFO: await writeAuthorityBundle(dir, ca) }),
    },
  };
  setCurrentDispatcher(dispatcher);
  // Node's own fetch uses the global dispatcher.
  setGlobalDispatcher(dispatcher);
  return {
    secrets: listProxySecrets(settings),
    async close() {
      current = DIRECT;
      setCurrentDispatcher(null);
      setGlobalDispatcher(before);
      await close();
    },
  };
}

/** Written atomically: a git may be reading the previous file. */
async function writeAuthorityBundle(dir: string, ca: readonly string[]): Promise<string> {
  const file = join(dir, BUNDLE);
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, await bundleForGit(ca), { mode: 0o600 });
  await rename(draft, file);
  return file;
}
