import { isAbsolute } from 'node:path';
import type { GitRemoteOverlay, Settings } from '../../../contract/schema/runner/settings.ts';
import type { Config } from '../configSchema.ts';

type Report = (path: (string | number)[], message: string) => void;

/** User name of a login by token, for servers that accept any. */
const ANY_USER = 'x-access-token';

/** `git@host:path` is short for ssh. */
const toGitUrl = (address: string): string => {
  const [, user, host, path] = /^([\w.-]+@)([\w.-]+):(?!\/\/)(.+)$/.exec(address) ?? [];
  return host === undefined ? address : `ssh://${user}${host}/${path?.replace(/^\//, '')}`;
};

/** Faults of the address of a git repository; null = none. Not quoted: it may hold a secret. */
const describeAddressFault = (address: string): string | null =>
  URL.canParse(toGitUrl(address)) &&
  ['https:', 'http:', 'ssh:', 'file:'].includes(new URL(toGitUrl(address)).protocol)
    ? null
    : 'must be an address that starts with https://, ssh:// or file://, or git@host:path';

/** The address without a login, and the login that was in it: git gets that by its environment. */
function splitOffGitLogin(address: string): { url: string; username: string; token: string } {
  const url = new URL(address);
  const { username, password, protocol } = url;
  url.password = '';
  // The user of ssh is not a secret, and git has no other way to learn it.
  if (protocol !== 'ssh:') url.username = '';
  return {
    url: url.href,
    username: decodeURIComponent(username),
    token: decodeURIComponent(password),
  };
}

/** Mistakes of the overlay that no schema sees: keys of one kind beside those of another. */
export function reportOverlayMistakes({ tenant, intelligence }: Config, report: Report): void {
  const { kind, path, url, ref, username, token } = tenant.overlay;
  const at = (key: string) => ['tenant', 'overlay', key];
  if (kind === 'localDir' && path === undefined) {
    report(
      ['tenant', 'overlay'],
      'tenant.overlay is missing the key "path". Add the folder of the overlay.',
    );
  } else if (kind === 'gitRemote' && !url) {
    report(
      ['tenant', 'overlay'],
      'tenant.overlay is missing the key "url". Add the address of the git repository.',
    );
  } else if (['none', 'cloudBlob'].includes(kind ?? 'none') && path !== undefined) {
    report(
      at('path'),
      'A path is only used with "kind": "localDir". Add that kind, or remove the path.',
    );
  }
  if (kind !== 'gitRemote') {
    for (const [key, value] of Object.entries({ url, ref, username, token }))
      if (value !== undefined)
        report(
          at(key),
          `"${key}" is only used with "kind": "gitRemote". Add that kind, or remove it.`,
        );
  } else {
    const fault = url ? describeAddressFault(url) : null;
    if (fault !== null) report(at('url'), `tenant.overlay.url ${fault}.`);
    if (path !== undefined && (isAbsolute(path) || path.split('/').includes('..')))
      report(
        at('path'),
        'tenant.overlay.path must be a folder in the repository, such as intelligence.',
      );
  }
  if (kind === undefined && intelligence.gitRemote) {
    const fault = describeAddressFault(intelligence.gitRemote);
    if (fault !== null) report(['intelligence', 'gitRemote'], `intelligence.gitRemote ${fault}.`);
  }
}

/** The overlay that a checked config means; the path of a folder as it is written. */
export function resolveTenantOverlay(config: Config): Settings['tenant']['overlay'] {
  const { tenant, cloud } = config;
  const { kind, path } = tenant.overlay;
  if (kind === 'localDir' && path !== undefined) return { kind, path };
  const remote = resolveGitRemote(config);
  if (remote !== null) return remote;
  const isPaired = Boolean(cloud.url && cloud.token);
  return isPaired && (kind === undefined || kind === 'cloudBlob')
    ? { kind: 'cloudBlob' }
    : { kind: 'none' };
}

/** The gitRemote overlay that a checked config means; null = it means another kind. */
function resolveGitRemote({ tenant, intelligence }: Config): GitRemoteOverlay | null {
  const { kind, path, url, ref, username, token } = tenant.overlay;
  const address =
    kind === 'gitRemote' ? url : kind === undefined ? intelligence.gitRemote : undefined;
  if (!address) return null;
  const folder = path?.replace(/^\.?\/+|\/+$/g, '') ?? '';
  const inside = splitOffGitLogin(toGitUrl(address));
  return {
    kind: 'gitRemote',
    url: inside.url,
    ref: ref ?? null,
    path: folder === '' || folder === '.' ? null : folder,
    username: username ?? (inside.username || ANY_USER),
    token: token || inside.token,
  };
}
