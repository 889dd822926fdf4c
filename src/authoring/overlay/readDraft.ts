import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { messageOf, SvcError } from '../../lib/errors.ts';
import type { ParsedWorkflow } from '../workflows/parseWorkflow.ts';
import type { WorkflowContext } from '../workflows/workflowContext.ts';
import { type Layer, type LayerName, MAX_LAYER_FILE_BYTES } from './layer.ts';
import { mergeLayers } from './mergeLayers.ts';
import { type OpenOverlay, openOverlay } from './openOverlay.ts';
import { readLayer } from './readLayer.ts';

export interface LintContext {
  /** Folder of the base layer, whose agents a workflow may name; null = none. */
  baseIntelligence: string | null;
  /** Names of the configured model aliases; left out = aliases are not checked. */
  aliases?: readonly string[];
  /** Who can run a phase; left out = executors are not checked. */
  executors?: WorkflowContext['executors'];
  /** What to say of a name that no tool has; left out = names of tools are not checked. */
  unknownTool?: (name: string) => string | null;
  /** Text for the path `-`. */
  stdin?: string;
  /** Whose rules hold for the files; default tenant. A repository may not declare commands. */
  layer?: LayerName;
}

export const namesOf = ({ aliases, executors, unknownTool }: LintContext) => ({
  ...(aliases && { aliases }),
  ...(executors && { executors }),
  ...(unknownTool && { unknownTool }),
});

/** Name that findings in standard input carry. */
export const STDIN_NAME = '<stdin>';

/** All that is read of a folder: it may be a repository with thousands of other files. */
export const LINTED_FOLDERS = ['workflows', 'agents'];

/**
 * The overlay of the base layer and of the layer whose folder is `root`; null = there is no such
 * layer.
 */
export async function overlayAround(
  root: string | null,
  context: LintContext,
): Promise<OpenOverlay> {
  const layers: Layer[] = [];
  const base = context.baseIntelligence === null ? null : resolve(context.baseIntelligence);
  if (base !== null) layers.push(await readLayer('base', base, LINTED_FOLDERS));
  if (root !== null && resolve(root) !== base)
    layers.push(await readLayer(context.layer ?? 'tenant', root, LINTED_FOLDERS));
  return openOverlay(mergeLayers(layers), namesOf(context));
}

/** The folder that a workflow's agents are looked up in: the one that holds its `workflows/`. */
export const layerRootOf = (file: string): string | null =>
  basename(dirname(resolve(file))) === 'workflows' ? dirname(dirname(resolve(file))) : null;

/** What to say of a file that is not there: it may have been named as jobs name their workflow. */
function missing(path: string, base: string | null | undefined): string {
  const there = base ? resolve(base, path) : null;
  return there !== null && existsSync(there)
    ? `no such file here. The base layer has one: ${there}`
    : 'no such file';
}

/**
 * The text of a file; `base` is the folder of the base layer. Throws SvcError `not-found`,
 * `too-large`.
 */
export async function readText(path: string, base?: string | null): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > MAX_LAYER_FILE_BYTES)
      throw new SvcError(
        'too-large',
        `${path} has ${size} bytes; the limit is ${MAX_LAYER_FILE_BYTES}.`,
      );
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof SvcError) throw error;
    const why = Object(error).code === 'ENOENT' ? missing(path, base) : messageOf(error);
    throw new SvcError('not-found', `${path} cannot be read: ${why}.`, { cause: error });
  }
}

export interface Draft {
  parsed: ParsedWorkflow;
  overlay: OpenOverlay;
}

/**
 * One workflow file, or for `-` standard input, with the layers around it. Throws SvcError
 * `not-found`, `too-large`.
 */
export async function readDraft(path: string, context: LintContext): Promise<Draft> {
  const [name, text] =
    path === '-'
      ? [STDIN_NAME, context.stdin ?? '']
      : [path, await readText(path, context.baseIntelligence)];
  const overlay = await overlayAround(path === '-' ? null : layerRootOf(path), context);
  return { parsed: overlay.draft(name, text, context.layer), overlay };
}
