import { SvcError } from '../../base/errors/errors.ts';
import { suggestClosestName } from '../../base/text/findClosestName.ts';
import type { MergedFile } from '../../contract/schema/workflow/intelligence.ts';
import type { LayerName } from './layer.ts';
import type { Overlay } from './mergeLayers.ts';

/** The line that mergeLayers puts before the text of each layer. */
const BANNER = /^<!-- svc: from the (base|tenant|repo) layer /;

/** The layer of each line; svc's banners and blank lines around them belong to none. */
function splitByLayer(text: string, layers: readonly LayerName[], isAppended: boolean) {
  const lines = text.replace(/\n$/, '').split('\n');
  const [only] = layers;
  if (!isAppended) return [{ layer: only ?? null, lines: lines.length }];
  const parts: { layer: LayerName | null; lines: number }[] = [];
  let layer: LayerName | null = null;
  for (const [at, line] of lines.entries()) {
    const banner = BANNER.exec(line)?.[1];
    if (banner !== undefined) layer = banner as LayerName;
    const isOwn = banner !== undefined || (line === '' && BANNER.test(lines[at - 1] ?? ''));
    const of = isOwn ? null : layer;
    const last = parts.at(-1);
    if (last && last.layer === of) last.lines += 1;
    else parts.push({ layer: of, lines: 1 });
  }
  return parts;
}

/** A file as agents see it, with the layer of each line. Throws SvcError `not-found`. */
export function readMergedFile({ files }: Pick<Overlay, 'files'>, path: string): MergedFile {
  const file = files.get(path);
  if (!file)
    throw new SvcError(
      'not-found',
      `No layer has ${path}. ${suggestClosestName(path, [...files.keys()].slice(0, 50))}`,
    );
  const text = new TextDecoder().decode(file.bytes);
  const isAppended = BANNER.test(text);
  return {
    path,
    text,
    parts: splitByLayer(text, file.layers, isAppended),
    replaces: (file.replaces ?? []).map(({ layer }) => layer),
  };
}
