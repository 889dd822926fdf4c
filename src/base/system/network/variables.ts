import { SvcError } from '../../errors/errors.ts';
import { findAddressPasswords } from '../../secrets/findAddressSecrets.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface NetworkSettings {
  /** Proxy of http:// addresses, with its login; null = none. */
  httpProxy: string | null;
  /** Proxy of https:// addresses; where only the other one is set, the same. */
  httpsProxy: string | null;
  /** Hosts that are reached directly, separated by commas. */
  noProxy: string;
  /** PEM files whose certificate authorities are trusted besides the usual ones. */
  authorities: readonly { variable: string; file: string }[];
}

/** Each variable adds to the trusted authorities, whatever program it was made for. */
export const AUTHORITY_VARIABLES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'GIT_SSL_CAINFO'];
/** Addresses of this machine, which no proxy reaches. */
const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/** In lower case first, as everywhere; an empty variable counts as unset. */
function findVariable(env: Env, name: string): { variable: string; value: string } | null {
  for (const variable of [name, name.toUpperCase()]) {
    const value = env[variable]?.trim();
    if (value) return { variable, value };
  }
  return null;
}

/** The value is not repeated in the error: it may hold a password. */
function readProxyVariable(env: Env, name: string): string | null {
  const variable = findVariable(env, name);
  if (variable === null) return null;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(variable.value)
    ? variable.value
    : `http://${variable.value}`;
  const protocol = URL.canParse(address) ? new URL(address).protocol : '';
  if (protocol === 'http:' || protocol === 'https:') return new URL(address).href;
  throw new SvcError(
    'bad-argument',
    `The environment variable ${variable.variable} must be the address of a proxy, such as http://proxy.example:3128. svc speaks HTTP with proxies, over TLS for https://; SOCKS is not supported.`,
  );
}

/** Throws SvcError `bad-argument` for an address that cannot be a proxy's. */
export function readNetworkVariables(env: Env): NetworkSettings {
  const httpProxy = readProxyVariable(env, 'http_proxy');
  return {
    httpProxy,
    httpsProxy: readProxyVariable(env, 'https_proxy') ?? httpProxy,
    noProxy: findVariable(env, 'no_proxy')?.value ?? '',
    authorities: AUTHORITY_VARIABLES.flatMap((variable) => {
      const file = env[variable]?.trim();
      return file ? [{ variable, file }] : [];
    }),
  };
}

/** The passwords of proxies, and the form in which a request carries them. */
export const listProxySecrets = ({ httpProxy, httpsProxy }: NetworkSettings): string[] =>
  [httpProxy, httpsProxy].flatMap((address) =>
    address === null ? [] : findAddressPasswords(address),
  );

/** How a proxy is named in messages: without its login. */
export const formatProxyName = (address: string): string => new URL(address).host;

function removeProxyLogin(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/** In upper and lower case: each program knows one of them. */
const repeatInBothCases = (name: string, value: string): [string, string][] => [
  [name, value],
  [name.toUpperCase(), value],
];

/** Variables for another program, in both cases; loopback addresses are reached directly. */
export function buildProxyVariables({
  httpProxy,
  httpsProxy,
  noProxy,
}: Omit<NetworkSettings, 'authorities'>): Record<string, string> {
  if (httpProxy === null && httpsProxy === null) return {};
  return Object.fromEntries([
    ...(httpProxy === null ? [] : repeatInBothCases('http_proxy', httpProxy)),
    ...(httpsProxy === null ? [] : repeatInBothCases('https_proxy', httpsProxy)),
    ...repeatInBothCases('no_proxy', [noProxy, ...LOOPBACK].filter((one) => one !== '').join(',')),
  ]);
}

/** Variables for agents and plugins: proxies without their login, and authority files. */
export function buildAgentNetworkVariables(env: Env): Record<string, string> {
  const settings = readNetworkVariables(env);
  const { httpProxy, httpsProxy, authorities } = settings;
  return {
    ...buildProxyVariables({
      ...settings,
      httpProxy: httpProxy && removeProxyLogin(httpProxy),
      httpsProxy: httpsProxy && removeProxyLogin(httpsProxy),
    }),
    ...Object.fromEntries(authorities.map(({ variable, file }) => [variable, file])),
  };
}
