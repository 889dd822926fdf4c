import type { Layer, LayerName } from './layer.ts';

/** Files of one layer as they might become: text by path of the overlay; null = removed. */
export interface LayerChanges {
  layer: LayerName;
  files: ReadonlyMap<string, string | null>;
}

/** The layers with these changes, as if they were made. A layer that does not exist yet is added. */
export function applyLayerChanges(
  layers: readonly Layer[],
  { layer: name, files }: LayerChanges,
): Layer[] {
  const encoder = new TextEncoder();
  const before = layers.find((layer) => layer.name === name);
  const changed = new Map(before?.files);
  for (const [path, text] of files) {
    if (text === null) changed.delete(path);
    else changed.set(path, encoder.encode(text));
  }
  const after: Layer = { name, origin: name, root: null, ...before, files: changed };
  return before === undefined
    ? [...layers, after]
    : layers.map((layer) => (layer === before ? after : layer));
}
