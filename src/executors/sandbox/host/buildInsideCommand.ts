import { quotePosixWord } from '../../../shared/text/quotePosixWord.ts';

interface Inside {
  argv: readonly string[];
  cwd: string;
  /** Folder for temporary files; the runtime would name one that does not exist. */
  temporary: string;
  /** Address of the tool server, as the proxy reaches it. */
  toolUrl: string;
  /** Where the way to it is written: the address, and the proxy with its password. */
  wayFile: string;
  /** Hosts that may be asked, `name` or `name:port`. */
  hosts: readonly string[];
  platform: NodeJS.Platform;
}

const isLocalNetworkHost = (host: string): boolean =>
  /^(?:localhost|127\.|\[::1\]|10\.|192\.168\.)/.test(host);

/** Hosts that are this machine, with their ports. */
const listLocalPorts = (hosts: readonly string[]): string[] =>
  hosts.filter((host) => /^(?:localhost|127(?:\.\d+){3}|\[::1\]):\d+$/.test(host));

/** Name and password for the proxy, as socat wants them: those of `HTTP_PROXY`, decoded. */
const PROXY_AUTH = `auth=$(printf '%s' "\${HTTP_PROXY#http://}" | sed 's|@.*||; s|%2B|+|g; s|%2F|/|g; s|%3D|=|g')`;

/** Hands what arrives at a port inside on to the same port of the machine, through the proxy. */
const buildRelayCommand = (host: string): string => {
  const port = host.slice(host.lastIndexOf(':') + 1);
  const listen = host.startsWith('[') ? `TCP6-LISTEN:${port},bind=[::1]` : `TCP-LISTEN:${port}`;
  return `socat ${listen},fork,reuseaddr "PROXY:localhost:${host},proxyport=\${HTTP_PROXY##*:},proxyauth=$auth" </dev/null >/dev/null 2>&1 &`;
};

/**
 * How clients get to hosts. The runtime has them ask private addresses directly, which no way leads
 * to and is reported nowhere. On Linux the inside has a loopback of its own, where the ports of the machine
 * that are allowed are relayed: agents have servers of their own on it too.
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
 * The first command inside: it writes down the way to the tool server (0600), and becomes the
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
