import { applyEdits, findNodeAtLocation, modify, parseTree } from 'jsonc-parser';
import Type from 'typebox';
import type { Change } from './derivePatchChanges.ts';
import type { Config } from '../configSchema.ts';
import type { ReadConfig } from './readConfig.ts';
import { findSchemaAt } from '../findSchemaAt.ts';

const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } };

export const EMPTY = '{}\n';

/** The file as it was read; `raw` null = it does not exist. */
export interface OpenedConfig {
  raw: string | null;
  read: ReadConfig | null;
  config: Config;
}

/** Without the empty sections on the way to this place; an entry of a map means something. */
function removeEmptySections(text: string, path: readonly string[]): string {
  const root = parseTree(text);
  const node = root && path.length > 0 ? findNodeAtLocation(root, [...path]) : undefined;
  const isEmpty = node?.type === 'object' && (node.children ?? []).length === 0;
  const above = findSchemaAt(path.slice(0, -1));
  if (!isEmpty || !above || Type.IsRecord(above)) return text;
  const shortenedText = applyEdits(text, modify(text, [...path], undefined, FORMAT));
  return removeEmptySections(shortenedText, path.slice(0, -1));
}

function hasConfigPath(text: string, path: readonly string[]): boolean {
  const root = parseTree(text);
  return root !== undefined && findNodeAtLocation(root, [...path]) !== undefined;
}

/**
 * The text of the file with the changes made in it; everything else stays as it was written. A
 * section that holds nothing any more goes with what was taken out of it.
 */
export function applyChangesToText(
  { raw, read, config }: OpenedConfig,
  changes: readonly Change[],
): string {
  // An entry that is written over an older block would hide the rest of that block: the block
  // becomes the entry first.
  const touchedConversions = (read?.conversions ?? []).filter(({ plugin }) =>
    changes.some(({ path }) => path[0] === 'plugins' && (path.length < 3 || path[2] === plugin)),
  );
  const moves = touchedConversions.flatMap(({ block, plugin }): Change[] => [
    { path: ['plugins', 'installed', plugin], value: config.plugins.installed[plugin] },
    { path: [block] },
  ]);
  let text = (raw ?? EMPTY).replace(/^\uFEFF/, '');
  for (const { path, value } of [...moves, ...changes]) {
    // What holds by default alone is not in the file, and cannot be taken out.
    if (value === undefined && !hasConfigPath(text, path)) continue;
    text = applyEdits(text, modify(text, [...path], value, FORMAT));
    if (value === undefined) text = removeEmptySections(text, path.slice(0, -1));
  }
  return text;
}
