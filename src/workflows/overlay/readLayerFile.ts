import { SvcError } from '../../base/errors/errors.ts';
import { suggestClosestName } from '../../base/text/findClosestName.ts';
import type { IntelligenceFile } from '../../contract/schema/workflow/intelligence.ts';
import type { Layer, LayerName } from './layer.ts';
import { toTextEtag } from './writableFile.ts';

/**
 * One file of a layer; by default, of the last layer that has it. `layers`: base first. Throws
 * SvcError `not-found`.
 */
export function readLayerFile(
  layers: readonly Pick<Layer, 'name' | 'files'>[],
  { path, layer }: { path: string; layer?: LayerName | undefined },
): { etag: string; file: Omit<IntelligenceFile, 'editable'> } {
  const having = layers.filter(({ files }) => files.has(path));
  const one = layer === undefined ? having.at(-1) : having.find(({ name }) => name === layer);
  const bytes = one?.files.get(path);
  if (!one || !bytes) {
    const paths = layers
      .filter(({ name }) => layer === undefined || name === layer)
      .flatMap(({ files }) => [...files.keys()]);
    const where = layer === undefined ? 'No layer' : `The ${layer} layer`;
    throw new SvcError(
      'not-found',
      `${where} has no ${path}. ${suggestClosestName(path, [...new Set(paths)].slice(0, 50))}`,
    );
  }
  const text = new TextDecoder().decode(bytes);
  return {
    etag: toTextEtag(bytes),
    file: { path, layer: one.name, text, layers: having.map(({ name }) => name) },
  };
}
