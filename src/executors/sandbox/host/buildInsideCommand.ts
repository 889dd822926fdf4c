import { quotePosixWord } from '../../../base/text/quotePosixWord.ts';

interface Inside {
  argv: readonly string[];
  cwd: string;
  /** Folder for temporary files; the runtime's default does not exist. */
  temporary: string;
  /** Address of the tool server for the proxy. */
  toolUrl: string;
  /** File with the way to the tool server: its address, and the proxy with its password. */
  wayFile: string;
  /** Allowed hosts, `name` or `name:port`. */
  hosts: readonly string[];
  platform: NodeJS.Platform;
}

const isLocalNetworkHost = (host: string): boolean =>
  /^(?:localhost|127\.|\[::1\]|10\.|192\.168\.)/.test(host);

const listLocalPorts = (hosts: readonly string[]): string[] =>
  hosts.filter((host) => /^(?:localhost|127(?:\.\d+){3}|\[::1\]):\d+$/.test(host));

/** Name and password for the proxy in socat's form: those of `HTTP_PROXY`, decoded. */
const PROXY_AUTH = `auth=$(printf '%s' "\${HTTP_PROXY#http://}" | sed 's|@.*||; s|%2B|+|g; s|%2F|/|g; s|%3D|=|g')`;

/** Forwards a port inside to the same port of the machine, through the proxy. */
const buildRelayCommand = (host: string): string => {
  const port = host.slice(host.lastIndexOf(':') + 1);
  const listen = host.startsWith('[') ? `TCP6-LISTEN:${port},bind=[::1]` : `TCP-LISTEN:${port}`;
  return `socat ${listen},fork,reuseaddr "PROXY:localhost:${host},proxyport=\${HTTP_PROXY##*:},proxyauth=$auth" </dev/null >/dev/null 2>&1 &`;
};

/**
 * How clients reach hosts. The runtime sends requests for private addresses directly, where nothing
 * leads and no refusal is reported. On Linux the sandbox has its own loopback, where the machine's
 * allowed ports are relayed: agents run servers on it too.
 */
function buildHostExports({ hosts, platform }: Pick<Inside, 'hosts' | 'platform'>): string[] {
  if (platform !== 'linux')
    return hosts.some(isLocalNetworkHost) ? ['export NO_PROXY= no_proxy='] : [];
  const here = listLocalPorts(hosts);
  return [
    'export NO_PROXY=localhost,127.0.0.1,::1 no_proxy=localhost,127.0.0.1,::1',
    ...(here.length > 0 ? [PROXY_AUTH, ...here.map(buildRelayCommand)] : []),
  ];
}

/**
 * The first command inside: it writes the way to the tool server to a file (0600) and becomes the
 * program.
 */
export const buildInsideCommand = (inside: Inside): string => {
  const { argv, cwd, temporary, toolUrl, wayFile } = inside;
  return [
    `export TMPDIR=${quotePosixWord(temporary)}`,
    ...buildHostExports(inside),
    `rm -f ${quotePosixWord(wayFile)}`,
    `(umask 077; printf '{"url":"%s","proxy":"%s"}' ${quotePosixWord(toolUrl)} "$HTTP_PROXY" > ${quotePosixWord(wayFile)})`,
    `cd ${quotePosixWord(cwd)} && exec ${argv.map(quotePosixWord).join(' ')}`,
  ].join('\n');
};
