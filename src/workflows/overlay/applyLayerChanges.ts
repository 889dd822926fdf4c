import type { Layer, LayerName } from './layer.ts';

/** Proposed files of one layer: text by path of the overlay; null = removed. */
export interface LayerChanges {
  layer: LayerName;
  files: ReadonlyMap<string, string | null>;
}

/** The layers with these changes applied. A missing layer is added. */
export function applyLayerChanges(
  layers: readonly Layer[],
  { layer: name, files }: LayerChanges,
): Layer[] {
  const encoder = new TextEncoder();
  const before = layers.find((layer) => layer.name === name);
  const changedFiles = new Map(before?.files);
  for (const [path, text] of files) {
    if (text === null) changedFiles.delete(path);
    else changedFiles.set(path, encoder.encode(text));
  }
  const after: Layer = { name, origin: name, root: null, ...before, files: changedFiles };
  return before === undefined
    ? [...layers, after]
    : layers.map((layer) => (layer === before ? after : layer));
}
