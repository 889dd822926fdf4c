import type { LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import { isLoopbackAddress } from '../../http/isLoopbackAddress.ts';
import type { NetworkSettings } from './variables.ts';

export interface Carrier {
  dispatcher: Dispatcher;
  /** Closes its connections, those in use too. */
  close(): Promise<void>;
}

/**
 * What carries requests: through the proxies that the settings name, and with their authorities.
 * This machine is never reached through a proxy. `lookup`: finds the address of a host that is
 * reached directly. undici is loaded for those who need it alone.
 */
export async function createDispatcher(
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
  const proxied = new EnvHttpProxyAgent({
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
  const dispatcher = proxied.compose(
    (dispatch) => (options, handler) =>
      isLoopbackAddress(new URL(String(options.origin)).hostname)
        ? direct.dispatch(options, handler)
        : dispatch(options, handler),
  );
  return {
    dispatcher,
    async close() {
      await Promise.all([proxied.destroy(), direct.destroy()]);
    },
  };
}
