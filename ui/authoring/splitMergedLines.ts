import type { MergedFile } from '../../src/contract/schema/workflow/intelligence.ts';
import type { LayerName } from './authoredFiles.ts';

/** A line of the merged view. */
export interface MergedLine {
  /** null = svc has written it. */
  layer: LayerName | null;
  /** Whether it is the first of its layer here. */
  first: boolean;
  text: string;
}

/** The lines of a file as agents see it, each with where it comes from. */
export function splitMergedLines({ text, parts }: MergedFile): MergedLine[] {
  const lines = text.replace(/\n$/, '').split('\n');
  let at = 0;
  return parts.flatMap(({ layer, lines: count }) => {
    const own = lines.slice(at, at + count);
    at += count;
    return own.map((line, index) => ({ layer, first: index === 0, text: line }));
  });
}
