import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import type { ParsedWorkflow } from '../definition/parseWorkflow.ts';
import { MAX_PARSED_BYTES } from '../../base/limits/inputLimits.ts';
import type { Layer, LayerName } from './layer.ts';
import { USED_NAMES } from './layerCollector.ts';
import { readLayerFileStart } from './layerFiles.ts';
import { mergeLayers } from './mergeLayers.ts';
import { type OpenOverlay, openOverlay, type OverlayContext } from './openOverlay.ts';
import { readLayer } from './readLayer.ts';
import { STDIN_NAME } from './stdinName.ts';

/** Context for linting; missing parts are not checked. */
export interface LintContext extends OverlayContext {
  /** Folder of the base layer, whose agents a workflow may name; null = none. */
  baseIntelligence: string | null;
  /** The content of the path `-`. */
  stdin?: string | Uint8Array;
  /** Folder in which the path `-` finds workflows and agents; default: the current one. */
  folder?: string;
  /** The layer whose rules apply; default tenant. A repository may not declare commands. */
  layer?: LayerName;
}

/** Folders that mark a layer's folder. */
export const LINTED_FOLDERS = ['workflows', 'agents'];

/**
 * The names that are read in a linted folder: all that jobs would use. Of a repository only used
 * names, since it may have thousands of other files.
 */
export const chooseLintedNames = (root: string): { only?: readonly string[] } =>
  existsSync(join(root, '.git')) ? { only: USED_NAMES } : {};

/** The overlay of the base layer and of the layer in `root`; null = no such layer. */
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

/** The folder in which a workflow's agents are searched: the parent of its `workflows/`. */
export const findLayerRoot = (file: string): string | null =>
  basename(dirname(resolve(file))) === 'workflows' ? dirname(dirname(resolve(file))) : null;

/** The same for standard input, from the current folder. */
function findLayerRootAround(folder: string): string | null {
  const here = resolve(folder);
  if (LINTED_FOLDERS.includes(basename(here))) return dirname(here);
  return LINTED_FOLDERS.some((name) => existsSync(join(here, name))) ? here : null;
}

/** The message for a missing file, which may have been named in the way of jobs. */
function describeMissingFile(path: string, base: string | null | undefined): string {
  const there = base ? resolve(base, path) : null;
  return there !== null && existsSync(there)
    ? `no such file here. The base layer has one: ${there}`
    : 'no such file';
}

/**
 * Reads a file for parsing; of one over the limit only enough to show that. `base`: folder of the
 * base layer. Throws SvcError `not-found`.
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

/** One workflow file, or standard input for `-`, with its layers. Throws SvcError `not-found`. */
export async function readDraft(path: string, context: LintContext): Promise<Draft> {
  const isInput = path === '-';
  const source = isInput ? (context.stdin ?? '') : await readSource(path, context.baseIntelligence);
  const root = isInput ? findLayerRootAround(context.folder ?? '.') : findLayerRoot(path);
  const overlay = await openLintOverlay(root, context);
  const parsed = overlay.draft(isInput ? STDIN_NAME : path, source, context.layer);
  return { parsed, overlay, source };
}
