/** Longest setup of a checkout unless the configuration says otherwise, minutes. */
export const DEFAULT_SETUP_MINUTES = 15;
export const MOST_SETUP_MINUTES = 240;
/** Longest teardown: a cleanup does not wait longer for one checkout. */
export const TEARDOWN_MS = 60_000;
/** Longest setup or teardown script, characters. */
export const MAX_SCRIPT_CHARS = 16_384;
/** Most cache folders of a repository. */
export const MAX_CACHES = 20;
/** Longest path of a file or a folder in the configuration of checkouts, characters. */
export const MAX_CHECKOUT_PATH = 255;

/** Most files that are copied into the checkouts of a repository. */
export const MAX_COPIED_FILES = 50;
/** Largest one: 1 MiB. */
export const MAX_COPIED_FILE_BYTES = 1024 * 1024;

/** Most repositories whose commits are fetched as submodules of one repository. */
export const MAX_SUBMODULE_SOURCES = 50;
/** Most submodules of a checkout, those of submodules included. */
export const MAX_SUBMODULES = 100;
/** Levels of submodules within submodules. */
export const MAX_SUBMODULE_DEPTH = 5;
/** Most bytes of the files of all submodules of a checkout: 2 GiB. */
export const MAX_SUBMODULE_BYTES = 2 * 1024 ** 3;
/** Longest fetch of all submodules of a checkout together, ms: half an hour. */
export const MAX_SUBMODULES_MS = 30 * 60_000;
/** Most bytes of the files of Git LFS of a checkout: 5 GiB. */
export const MAX_LFS_BYTES = 5 * 1024 ** 3;
/** Most files of Git LFS of a checkout, and most stored contents that a cleanup compares. */
export const MAX_LFS_FILES = 20_000;
/** Longest fetch of the files of Git LFS of a checkout, ms: half an hour. */
export const MAX_LFS_MS = 30 * 60_000;

export const DEFAULT_PORTS = { first: 20_000, last: 29_999, perCheckout: 10 } as const;
export const MOST_PORTS_PER_CHECKOUT = 100;

/**
 * Why a path must not be used below a folder, as a clause; null = it may. Characters that mean
 * something in `.gitignore` are refused, since such paths are written there.
 */
export function explainBadRelativePath(path: string): string | null {
  if (path === '' || path.length > MAX_CHECKOUT_PATH)
    return `is empty or longer than ${MAX_CHECKOUT_PATH} characters`;
  if (/\p{C}/u.test(path)) return 'contains control or invisible characters';
  if (/[\\*?[\]!#"]/.test(path)) return 'contains one of the characters \\ * ? [ ] ! # "';
  if (path.startsWith('/') || path.startsWith('~')) return 'is not relative';
  if (path.trim() !== path) return 'begins or ends with a space';
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    return 'leaves its folder or has an empty part';
  return parts.some((part) => part.toLowerCase() === '.git') ? 'lies in .git' : null;
}

const SLUG = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/;

/** Why submodules must not come from a slug or an address, as a clause; null = they may. The clause never quotes it. */
export function explainBadSubmoduleSource(entry: string): string | null {
  if (!entry.includes('://')) return SLUG.test(entry) ? null : 'is neither a slug nor an address';
  const url = URL.canParse(entry) ? new URL(entry) : null;
  if (url?.protocol !== 'https:') return 'does not begin with https://';
  if (url.username !== '' || url.password !== '') return 'contains a login, and svc sends none';
  return url.search === '' && url.hash === '' ? null : 'contains ? or #';
}
