import { createHash } from 'node:crypto';
import { LAYER_NAMES } from '../definition/parseAgent.ts';
import type { Layer, LayerName, LeftOutItem } from './layer.ts';

export interface OverlayFile {
  bytes: Uint8Array;
  /** Its layers in the order base, tenant, repo; one layer for every path that is not appended. */
  layers: LayerName[];
  /** Versions of earlier layers that the last one replaces; left out = none. */
  replaces?: { layer: LayerName; bytes: Uint8Array }[];
}

/** All layers as one tree of files: what a job's agents see. */
export interface Overlay {
  files: ReadonlyMap<string, OverlayFile>;
  /** sha256 over paths and bytes: equal exactly when the agents see the same. */
  hash: string;
  /** Origins of the layers, in order. */
  layers: readonly { name: LayerName; origin: string; root: string | null; trusted?: boolean }[];
  /** Faulty files, by their path in the overlay. */
  leftOut: readonly (LeftOutItem & { layer: LayerName })[];
}

/** Whether the layers' texts of this path are joined instead of replaced. */
export const isAppended = (path: string): boolean =>
  path === '.claude/CLAUDE.md' || /^memory\/.+\.md$/.test(path);

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** `--` would end a comment, and an origin may contain a repository's name. */
const escapeForComment = (text: string) => text.replace(/[\p{C}<>]/gu, ' ').replace(/-{2,}/g, '-');

/** A layer's text must not look like the banner of another layer. */
const disarmBanners = (text: string) => text.replace(/<!--(\s*)svc:/gi, '<!--$1(not from svc):');

function addLayerBanner(layer: Layer, bytes: Uint8Array): string {
  const text = disarmBanners(decoder.decode(bytes)).trimEnd();
  return `<!-- svc: from the ${layer.name} layer (${escapeForComment(layer.origin)}) -->\n\n${text}\n`;
}

function* walkParentFolders(path: string): Generator<string> {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1))
    yield path.slice(0, slash);
}

/**
 * Kinds of paths in earlier layers: a path cannot be a file in one layer and a folder in another.
 */
class Kinds {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** The path that prevents this file; null = none. */
  clash(path: string): string | null {
    if (this.#folders.has(path)) return path;
    for (const folder of walkParentFolders(path)) if (this.#files.has(folder)) return folder;
    return null;
  }

  add(paths: Iterable<string>): void {
    for (const path of paths) {
      this.#files.add(path);
      for (const folder of walkParentFolders(path)) this.#folders.add(folder);
    }
  }
}

function hashOverlayFiles(files: ReadonlyMap<string, OverlayFile>): string {
  const hash = createHash('sha256');
  for (const [path, { bytes }] of files)
    hash.update(`${Buffer.byteLength(path)}:${path}:${bytes.length}:`).update(bytes);
  return hash.digest('hex');
}

/**
 * Merges the layers in the order base, tenant, repo, whatever their order in the list.
 * `.claude/CLAUDE.md` and markdown files under `memory/` are appended, each part under a banner
 * with its layer; for every other path the last layer's file counts, with the rules of those that
 * it replaces (`collectGivenInvariants.ts`).
 */
export function mergeLayers(layers: readonly Layer[]): Overlay {
  const orderedLayers = [...layers].sort(
    (a, b) => LAYER_NAMES.indexOf(a.name) - LAYER_NAMES.indexOf(b.name),
  );
  const parts = new Map<string, { layer: Layer; bytes: Uint8Array }[]>();
  const leftOut: (LeftOutItem & { layer: LayerName })[] = [];
  const kinds = new Kinds();
  for (const layer of orderedLayers) {
    for (const one of layer.leftOut ?? []) leftOut.push({ ...one, layer: layer.name });
    const takenPaths: string[] = [];
    for (const [path, bytes] of layer.files) {
      const clash = kinds.clash(path);
      if (clash !== null) {
        const reason = `${clash} is a file in one layer and a folder in another`;
        leftOut.push({ path, reason, hint: 'Rename one of them.', layer: layer.name });
        continue;
      }
      takenPaths.push(path);
      parts.set(path, [...(parts.get(path) ?? []), { layer, bytes }]);
    }
    kinds.add(takenPaths);
  }
  const paths = [...parts.keys()].sort();
  const files = new Map<string, OverlayFile>();
  for (const path of paths) {
    const all = parts.get(path) ?? [];
    const last = all.at(-1);
    if (!last) continue;
    if (isAppended(path)) {
      const text = all.map(({ layer, bytes }) => addLayerBanner(layer, bytes)).join('\n');
      files.set(path, { bytes: encoder.encode(text), layers: all.map(({ layer }) => layer.name) });
      continue;
    }
    const replaces = all.slice(0, -1).map(({ layer, bytes }) => ({ layer: layer.name, bytes }));
    files.set(path, {
      bytes: last.bytes,
      layers: [last.layer.name],
      ...(replaces.length === 0 ? {} : { replaces }),
    });
  }
  return {
    files,
    hash: hashOverlayFiles(files),
    layers: orderedLayers.map(({ files: _files, leftOut: _leftOut, ...layer }) => layer),
    leftOut,
  };
}
