import { normalize } from 'node:path/posix';

const URL_ADDRESS = /^(https?|ssh|git|git\+ssh):\/\/(?:[^/@\s]*@)?([A-Za-z0-9.-]+)(:\d+)?\/(.+)$/i;
/** `git@host:path`, as `git clone` takes it. */
const SCP_ADDRESS = /^(?:[A-Za-z0-9._-]+@)([A-Za-z0-9.-]+):(?!\/\/)(.+)$/;
const LONGEST_ADDRESS = 2_048;

const normalizePath = (path: string): string =>
  normalize(path)
    .replace(/\/+$/, '')
    .replace(/\/\.git$/, '')
    .replace(/\.git$/, '');

/**
 * The form of an address in which two can be compared: `host/path` without scheme, login and `.git`, or a folder of
 * this disk. It is not for a connection. null = an address of another kind, such as `ext::…` or an option.
 */
export function toComparedAddress(address: string): string | null {
  if (address.length > LONGEST_ADDRESS || /[\p{C}\\]/u.test(address)) return null;
  const folder = address.startsWith('file:///') ? address.slice('file://'.length) : address;
  if (folder.startsWith('/')) return normalizePath(folder);
  const [, scheme = '', host = '', port = '', path = ''] = URL_ADDRESS.exec(address) ?? [];
  if (host !== '') {
    const ownPort = /^https?$/i.test(scheme) && port !== ':443' && port !== ':80' ? port : '';
    return normalizeRemote(`${host}${ownPort}`, path);
  }
  const [, scpHost = '', scpPath = ''] = SCP_ADDRESS.exec(address) ?? [];
  return scpHost === '' ? null : normalizeRemote(scpHost, scpPath);
}

/** Forges ignore case. A path that leaves its host is none. */
function normalizeRemote(host: string, path: string): string | null {
  const inner = normalizePath(path.replace(/^\/+/, ''));
  if (inner === '' || inner === '.' || inner.startsWith('..')) return null;
  return `${host}/${inner}`.toLowerCase();
}

/**
 * The compared form of what `.gitmodules` of a repository at `parent` says, also where that is relative. null = no
 * address that svc compares.
 */
export function resolveSubmoduleAddress(parent: string, url: string): string | null {
  if (!/^\.\.?\//.test(url)) return toComparedAddress(url);
  const base = toComparedAddress(parent);
  if (base === null || /[\p{C}\\]/u.test(url)) return null;
  const address = normalizePath(`${base}/${url}`);
  const isFolder = base.startsWith('/');
  const [root = ''] = isFolder ? ['/'] : base.split('/');
  const isBelowRoot = isFolder
    ? address.startsWith('/') && address !== '/'
    : address.startsWith(`${root}/`);
  return isBelowRoot ? (isFolder ? address : address.toLowerCase()) : null;
}
