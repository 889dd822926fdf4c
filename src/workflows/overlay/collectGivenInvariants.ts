import { parseFrontMatter } from '../definition/parseFrontMatter.ts';
import type { GivenInvariants } from '../definition/invariants/checkInvariants.ts';
import { LAYER_NAMES } from '../definition/parseAgent.ts';
import type { LayerName } from './layer.ts';
import type { Overlay } from './mergeLayers.ts';

/** A file of any layer whose front matter has rules for every workflow. */
export const RULES_OF_ALL = 'invariants.md';

/**
 * The rules that hold for the workflow at this path whatever the file of `own`, its layer, says:
 * those of files that it replaces, and those of every layer's `invariants.md`. A layer can add
 * rules and drop none.
 */
export function collectGivenInvariants(
  { files }: Overlay,
  path: string,
  own: LayerName,
): GivenInvariants[] {
  const written = (file: string, layer: LayerName, bytes: Uint8Array): GivenInvariants[] => {
    const { data, diagnostics } = parseFrontMatter(bytes, file);
    const isReadable = diagnostics.every(({ severity }) => severity !== 'error');
    const list = isReadable ? data.invariants : `the front matter of ${file}, which has mistakes`;
    return list === undefined ? [] : [{ from: layer, list }];
  };
  const isBefore = (layer: LayerName): boolean =>
    LAYER_NAMES.indexOf(layer) < LAYER_NAMES.indexOf(own);
  const replaced = files.get(path)?.replaces ?? [];
  const ofAll = files.get(RULES_OF_ALL);
  const everywhere = ofAll
    ? [...(ofAll.replaces ?? []), { layer: ofAll.layers.at(-1) ?? own, bytes: ofAll.bytes }]
    : [];
  return [
    ...everywhere.flatMap(({ layer, bytes }) => written(RULES_OF_ALL, layer, bytes)),
    ...replaced
      .filter(({ layer }) => isBefore(layer))
      .flatMap(({ layer, bytes }) => written(path, layer, bytes)),
  ];
}
