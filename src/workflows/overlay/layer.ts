import type { LayerName } from '../definition/parseAgent.ts';

export type { LayerName } from '../definition/parseAgent.ts';

/** The faulty files of a layer, which are not used; all its other files are. */
export interface LeftOutItem {
  /** Path of a file, or of a folder with all that is in it. */
  path: string;
  /** Why, as a clause. */
  reason: string;
  /** How to fix it, as sentences. */
  hint: string;
}

/** One source of intelligence files. */
export interface Layer {
  name: LayerName;
  /** Where it comes from, for banners and messages: a folder, or `<repository>@<commit>`. */
  origin: string;
  /** Its folder on disk; null for a layer that has none. */
  root: string | null;
  /** Bytes by path: relative, `/` between segments, checked by {@link explainBadLayerPath}. */
  files: ReadonlyMap<string, Uint8Array>;
  /** What is bad of it and not among the files; left out = nothing. */
  leftOut?: readonly LeftOutItem[];
  /**
   * Whether what it declares may run; default: that of base and tenant may, that of a repository
   * may not.
   */
  trusted?: boolean;
}

/** Most files of one layer that are used; those beside them are counted for themselves, up to as many. */
export const MAX_LAYER_FILES = 2_000;
/** Largest file of a layer, bytes. */
export const MAX_LAYER_FILE_BYTES = 1024 * 1024;
/** Largest layer, bytes of all files that are used; those beside them are counted for themselves. */
export const MAX_LAYER_BYTES = 32 * 1024 * 1024;
/** Most entries of folders that are read of a layer. */
export const MAX_LAYER_ENTRIES = 50_000;
/** Longest path of a layer, characters. */
export const MAX_LAYER_PATH = 512;

/**
 * Why a path must not be used; null = it may. Only paths that stay inside their layer on every
 * system are allowed.
 */
export function explainBadLayerPath(path: string): string | null {
  if (path === '') return 'is empty';
  if (path.length > MAX_LAYER_PATH) return `is longer than ${MAX_LAYER_PATH} characters`;
  if (/\p{C}/u.test(path)) return 'contains control or invisible characters';
  if (path.includes('\\')) return 'contains a backslash';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'is absolute';
  if (path.split('/').some((part) => part === '' || part === '.' || part === '..'))
    return 'leaves its folder or has an empty part';
  return null;
}
