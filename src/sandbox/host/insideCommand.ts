/** One word of a command line of a shell. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

interface Inside {
  argv: readonly string[];
  cwd: string;
  /** Folder for temporary files; the runtime would name one that does not exist. */
  temporary: string;
  /** Address of the tool server, as the proxy reaches it. */
  toolUrl: string;
  /** Where the way to it is written: the address, and the proxy with its password. */
  wayFile: string;
  hosts: readonly string[];
}

const isNear = (host: string): boolean => /^(?:localhost|127\.|\[::1\]|10\.|192\.168\.)/.test(host);

/**
 * The first command inside: it writes down the way to the tool server (0600), and becomes the
 * program. Hosts of this network that are allowed are only reached where clients do not take them
 * for their own.
 */
export const insideCommand = ({ argv, cwd, temporary, toolUrl, wayFile, hosts }: Inside): string =>
  [
    `export TMPDIR=${quoted(temporary)}`,
    ...(hosts.some(isNear) ? ['export NO_PROXY= no_proxy='] : []),
    `rm -f ${quoted(wayFile)}`,
    `(umask 077; printf '{"url":"%s","proxy":"%s"}' ${quoted(toolUrl)} "$HTTP_PROXY" > ${quoted(wayFile)})`,
    `cd ${quoted(cwd)} && exec ${argv.map(quoted).join(' ')}`,
  ].join('\n');
