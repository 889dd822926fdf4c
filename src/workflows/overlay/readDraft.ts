import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { toErrorMessage, SvcError } from '../../shared/errors/errors.ts';
import type { ParsedWorkflow } from '../definition/parseWorkflow.ts';
import { MAX_PARSED_BYTES } from '../../shared/limits/fileLimits.ts';
import type { Layer, LayerName } from './layer.ts';
import { USED_NAMES } from './layerCollector.ts';
import { readLayerFileStart } from './layerFiles.ts';
import { mergeLayers } from './mergeLayers.ts';
import { type OpenOverlay, openOverlay, type OverlayContext } from './openOverlay.ts';
import { readLayer } from './readLayer.ts';

/** What is left out of the context of the files is not checked. */
export interface LintContext extends OverlayContext {
  /** Folder of the base layer, whose agents a workflow may name; null = none. */
  baseIntelligence: string | null;
  /** What the path `-` stands for. */
  stdin?: string | Uint8Array;
  /** Folder in which the path `-` finds workflows and agents; default: the current one. */
  folder?: string;
  /** Whose rules hold for the files; default tenant. A repository may not declare commands. */
  layer?: LayerName;
}

/** Name that findings in standard input carry. */
export const STDIN_NAME = '<stdin>';

/** Folders by which one is taken for that of a layer. */
export const LINTED_FOLDERS = ['workflows', 'agents'];

/**
 * What is read of a folder that is linted: all that jobs would use of it. Of a repository only what
 * has a name that is used; it may have thousands of other files.
 */
export const chooseLintedNames = (root: string): { only?: readonly string[] } =>
  existsSync(join(root, '.git')) ? { only: USED_NAMES } : {};

/**
 * The overlay of the base layer and of the layer whose folder is `root`; null = there is no such
 * layer.
 */
export async function openLintOverlay(
  root: string | null,
  context: LintContext,
): Promise<OpenOverlay> {
  const layers: Layer[] = [];
  const base = context.baseIntelligence === null ? null : resolve(context.baseIntelligence);
  if (base !== null) layers.push(await readLayer('base', base));
  if (root !== null && resolve(root) !== base)
    layers.push(await readLayer(context.layer ?? 'tenant', root, chooseLintedNames(root)));
  return openOverlay(mergeLayers(layers), context);
}

/** The folder that a workflow's agents are looked up in: the one that holds its `workflows/`. */
export const findLayerRoot = (file: string): string | null =>
  basename(dirname(resolve(file))) === 'workflows' ? dirname(dirname(resolve(file))) : null;

/** The same for standard input, which has no path: of the folder that the command is run in. */
function findLayerRootAround(folder: string): string | null {
  const here = resolve(folder);
  if (LINTED_FOLDERS.includes(basename(here))) return dirname(here);
  return LINTED_FOLDERS.some((name) => existsSync(join(here, name))) ? here : null;
}

/** What to say of a file that does not exist: it may have been named as jobs name their workflow. */
function describeMissingFile(path: string, base: string | null | undefined): string {
  const there = base ? resolve(base, path) : null;
  return there !== null && existsSync(there)
    ? `no such file here. The base layer has one: ${there}`
    : 'no such file';
}

/**
 * A file that is to be parsed; of one over the limit no more than shows that it is. `base` is the
 * folder of the base layer. Throws SvcError `not-found`.
 */
export async function readSource(path: string, base?: string | null): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    return await readLayerFileStart(path, Math.min(size, MAX_PARSED_BYTES + 1));
  } catch (error) {
    const why =
      Object(error).code === 'ENOENT' ? describeMissingFile(path, base) : toErrorMessage(error);
    throw new SvcError('not-found', `${path} cannot be read: ${why}.`, { cause: error });
  }
}

export interface Draft {
  parsed: ParsedWorkflow;
  overlay: OpenOverlay;
  source: string | Uint8Array;
}

/**
 * One workflow file, or for `-` standard input, with the layers around it. Throws SvcError
 * `not-found`.
 */
export async function readDraft(path: string, context: LintContext): Promise<Draft> {
  const isInput = path === '-';
  const source = isInput ? (context.stdin ?? '') : await readSource(path, context.baseIntelligence);
  const root = isInput ? findLayerRootAround(context.folder ?? '.') : findLayerRoot(path);
  const overlay = await openLintOverlay(root, context);
  const parsed = overlay.draft(isInput ? STDIN_NAME : path, source, context.layer);
  return { parsed, overlay, source };
}
