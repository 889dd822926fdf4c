import { SvcError } from '../../lib/errors.ts';
import type { LayerName } from '../workflows/parseAgent.ts';

export type { LayerName } from '../workflows/parseAgent.ts';

/** One source of intelligence files. */
export interface Layer {
  name: LayerName;
  /** Where it comes from, for banners and messages: a folder, or `<repository>@<commit>`. */
  origin: string;
  /** Its folder on disk; null for a layer that has none. */
  root: string | null;
  /** Bytes by path: relative, `/` between segments, checked by {@link pathProblem}. */
  files: ReadonlyMap<string, Uint8Array>;
  /**
   * Whether what it declares may run; default: that of base and tenant may, that of a repository
   * may not.
   */
  trusted?: boolean;
}

/** Most files of one layer. */
export const MAX_LAYER_FILES = 2_000;
/** Largest file of a layer, bytes. */
export const MAX_LAYER_FILE_BYTES = 1024 * 1024;
/** Largest layer, bytes of all files. */
export const MAX_LAYER_BYTES = 32 * 1024 * 1024;
/** Longest path of a layer, characters. */
export const MAX_LAYER_PATH = 512;

/**
 * Why a path must not be used; null = it may. Only paths that stay inside their layer on every
 * system are allowed.
 */
export function pathProblem(path: string): string | null {
  if (path === '') return 'is empty';
  if (path.length > MAX_LAYER_PATH) return `is longer than ${MAX_LAYER_PATH} characters`;
  if (/\p{C}/u.test(path)) return 'contains control or invisible characters';
  if (path.includes('\\')) return 'contains a backslash';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute';
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..'))
    return 'leaves its folder or has an empty part';
  return null;
}

/** Files and bytes of a layer that is being read; throws SvcError `invalid` over the limits. */
export function layerBudget(origin: string): { take(path: string, bytes: number): void } {
  let files = 0;
  let total = 0;
  return {
    take(path, bytes) {
      files += 1;
      total += bytes;
      if (files > MAX_LAYER_FILES)
        throw new SvcError(
          'invalid',
          `${origin} has more than ${MAX_LAYER_FILES} files. Check that it is the right folder, and keep only intelligence files in it.`,
        );
      if (bytes > MAX_LAYER_FILE_BYTES)
        throw new SvcError(
          'invalid',
          `${path} in ${origin} has ${bytes} bytes; the limit is ${MAX_LAYER_FILE_BYTES}. Shorten it or move it out.`,
        );
      if (total > MAX_LAYER_BYTES)
        throw new SvcError(
          'invalid',
          `${origin} has more than ${MAX_LAYER_BYTES} bytes. Keep only intelligence files in it.`,
        );
    },
  };
}
