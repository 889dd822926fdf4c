import { rename, writeFile } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import { bundleForGit, readTrustedAuthorities } from './authorities.ts';
import { type Carrier, createDispatcher } from './dispatcher.ts';
import {
  type NetworkSettings,
  listProxySecrets,
  buildProxyVariables,
  readNetworkVariables,
} from './variables.ts';

/** In the home: every certificate authority that git trusts. */
const BUNDLE = 'ca-bundle.pem';

export interface Network {
  /** Carries requests that do not use `fetch`; null = Node's own connections are used. */
  dispatcher: Dispatcher | null;
  /** A carrier for a single request, which looks up direct connections like this. */
  carrierWith(lookup: LookupFunction): Promise<Carrier>;
  /** Variables of a git that uses the network. */
  gitEnvironment: Readonly<Record<string, string>>;
}

const DIRECT: Network = {
  dispatcher: null,
  carrierWith: (lookup) =>
    createDispatcher({ httpProxy: null, httpsProxy: null, noProxy: '' }, null, lookup),
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
    gitEnvironment: {
      ...buildProxyVariables(settings),
      ...(ca === null || dir === null
        ? {}
        : { GIT_SSL_CAINFO: await writeAuthorityBundle(dir, ca) }),
    },
  };
  // Node's own fetch uses the global dispatcher.
  setGlobalDispatcher(dispatcher);
  return {
    secrets: listProxySecrets(settings),
    async close() {
      current = DIRECT;
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
