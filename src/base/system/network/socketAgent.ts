import { Agent as HttpAgent, type AgentOptions, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { isLoopbackAddress } from '../../http/isLoopbackAddress.ts';
import { formatProxyName, type NetworkSettings } from './variables.ts';

/** How long a proxy may take to open a tunnel, ms. */
const TUNNEL_MS = 15_000;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

type Proxies = Omit<NetworkSettings, 'authorities'>;

const readPort = ({ port, protocol }: URL): string => port || (DEFAULT_PORTS[protocol] ?? '');

/** Whether NO_PROXY names the host: `*`, `host`, `.domain`, each also with a port. */
function isReachedDirectly(url: URL, noProxy: string): boolean {
  const host = url.hostname.toLowerCase();
  return noProxy
    .toLowerCase()
    .split(',')
    .map((entry) => entry.trim())
    .some((entry) => {
      const [name = '', port = ''] = entry.split(/:(?=\d+$)/);
      if (name === '' || (port !== '' && port !== readPort(url))) return false;
      return (
        name === '*' || host === name.replace(/^\./, '') || host.endsWith(name.replace(/^\.?/, '.'))
      );
    });
}

/**
 * What carries a WebSocket, which does not use `fetch`: through the proxy that the settings name, and with these
 * authorities. null = Node's own connections do. `url`: with http or https.
 */
export function createSocketAgent(
  url: URL,
  { httpProxy, httpsProxy, noProxy }: Proxies,
  ca: readonly string[] | null,
): HttpAgent | null {
  const isSecure = url.protocol === 'https:';
  const trust = ca === null ? {} : { ca: [...ca] };
  const proxy = isSecure ? httpsProxy : httpProxy;
  if (proxy === null || isLoopbackAddress(url.hostname) || isReachedDirectly(url, noProxy))
    return isSecure && ca !== null ? new HttpsAgent(trust) : null;
  return new TunnelAgent(url, new URL(proxy), trust);
}

/** Connects to one server through a proxy, with CONNECT. */
class TunnelAgent extends HttpAgent {
  readonly #url: URL;
  readonly #proxy: URL;
  readonly #trust: { ca?: string[] };

  /** Node takes an agent for https only if it has this protocol, and gives each one that of http itself. */
  readonly protocol: string;

  constructor(url: URL, proxy: URL, trust: { ca?: string[] }) {
    super();
    this.protocol = url.protocol;
    this.#url = url;
    this.#proxy = proxy;
    this.#trust = trust;
  }

  override createConnection(
    _options: AgentOptions,
    callback: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const fail = (error: Error) => callback(error, undefined as never);
    const { username, password } = this.#proxy;
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const goal = `${this.#url.hostname}:${readPort(this.#url)}`;
    const send = this.#proxy.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send({
      host: this.#proxy.hostname.replace(/^\[|\]$/g, ''),
      port: readPort(this.#proxy),
      method: 'CONNECT',
      path: goal,
      timeout: TUNNEL_MS,
      headers: {
        Host: goal,
        ...(username === ''
          ? {}
          : { 'Proxy-Authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
      },
      ...this.#trust,
    });
    const name = formatProxyName(this.#proxy.href);
    request.once('timeout', () => request.destroy(new Error(`The proxy ${name} does not answer.`)));
    request.once('error', fail);
    request.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) {
        socket.setTimeout(0);
        callback(null, this.#secure(socket));
        return;
      }
      socket.destroy();
      fail(new Error(`The proxy ${name} does not let svc reach ${goal} (${statusCode}).`));
    });
    request.end();
  }

  #secure(socket: Duplex): Duplex {
    if (this.#url.protocol !== 'https:') return socket;
    return connectTls({ socket, servername: this.#url.hostname, ...this.#trust });
  }
}
