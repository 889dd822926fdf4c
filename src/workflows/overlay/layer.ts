import type { LayerName } from '../definition/parseAgent.ts';

export type { LayerName } from '../definition/parseAgent.ts';

/** A faulty file of a layer, which is not used; all other files are. */
export interface LeftOutItem {
  /** Path of a file, or of a folder with its contents. */
  path: string;
  /** Why, as a clause. */
  reason: string;
  /** How to fix it, as sentences. */
  hint: string;
}

/** One source of intelligence files. */
export interface Layer {
  name: LayerName;
  /** Source, for banners and messages: a folder, or `<repository>@<commit>`. */
  origin: string;
  /** Its folder on disk; null = none. */
  root: string | null;
  /** Bytes by path: relative, `/` between segments, checked by {@link explainBadLayerPath}. */
  files: ReadonlyMap<string, Uint8Array>;
  /** Faulty items that are not in `files`; left out = none. */
  leftOut?: readonly LeftOutItem[];
  /** Whether its declarations may run; default: yes for base and tenant, no for a repository. */
  trusted?: boolean;
}

/** Most used files of one layer; other files are counted separately, with the same limit. */
export const MAX_LAYER_FILES = 2_000;
/** Largest file of a layer, bytes. */
export const MAX_LAYER_FILE_BYTES = 1024 * 1024;
/** Largest total of a layer's used files, bytes; other files are counted separately. */
export const MAX_LAYER_BYTES = 32 * 1024 * 1024;
/** Most folder entries that are read for a layer. */
export const MAX_LAYER_ENTRIES = 50_000;
/** Longest path of a layer, characters. */
export const MAX_LAYER_PATH = 512;

/**
 * Why a path must not be used; null = it may. Paths must stay inside their layer on every system.
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
