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
