import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { messageOf, SvcError } from '../lib/errors.ts';
import { type Layer, type LayerName, MAX_LAYER_FILE_BYTES } from './layer.ts';
import { mergeLayers } from './mergeLayers.ts';
import { openOverlay, type OpenOverlay } from './openOverlay.ts';
import { readLayer } from './readLayer.ts';
import type { Diagnostic } from '../schema/diagnostic.ts';
import { parseAgent } from '../workflows/parseAgent.ts';
import type { WorkflowContext } from '../workflows/phaseRules.ts';
import { parseWorkflow } from '../workflows/parseWorkflow.ts';

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

const namesOf = ({ aliases, executors, unknownTool }: LintContext) => ({
  ...(aliases && { aliases }),
  ...(executors && { executors }),
  ...(unknownTool && { unknownTool }),
});

/** Name that findings in standard input carry. */
export const STDIN_NAME = '<stdin>';

/** All that is read of a folder: it may be a repository with thousands of other files. */
const LINTED_FOLDERS = ['workflows', 'agents'];

async function overlayOf(root: string | null, context: LintContext): Promise<OpenOverlay> {
  const layers: Layer[] = [];
  const base = context.baseIntelligence === null ? null : resolve(context.baseIntelligence);
  if (base !== null) layers.push(await readLayer('base', base, LINTED_FOLDERS));
  if (root !== null && resolve(root) !== base) layers.push(await readLayer(context.layer ?? 'tenant', root, LINTED_FOLDERS));
  return openOverlay(mergeLayers(layers), namesOf(context));
}

async function lintFolder(dir: string, context: LintContext): Promise<Diagnostic[]> {
  const own = await readLayer(context.layer ?? 'tenant', dir, LINTED_FOLDERS);
  const overlay = await overlayOf(dir, context);
  const workflows = [...own.files.keys()].filter((path) => /^workflows\/[^/]+\.md$/.test(path) && path !== 'workflows/README.md');
  const agents = [...own.files.keys()].filter((path) => /^agents\/.+\.md$/.test(path));
  if (workflows.length + agents.length === 0) {
    throw new SvcError(
      'not-found',
      `${resolve(dir)} has neither workflows/*.md nor agents/*.md. Name one file, or the folder that holds workflows/; in a repository that is .svc.`,
    );
  }
  const found = [
    ...workflows.flatMap((path) => overlay.workflow(path).diagnostics),
    ...agents.flatMap((path) => overlay.agent(path).diagnostics),
  ];
  const seen = new Set<string>();
  return found
    .filter((one) => own.files.has(one.file) && !seen.has(JSON.stringify(one)) && seen.add(JSON.stringify(one)))
    .map((one) => ({ ...one, file: join(dir, one.file) }));
}

/** The folder that a workflow's agents are looked up in: the one that holds its `workflows/`. */
const layerRootOf = (file: string): string | null =>
  basename(dirname(resolve(file))) === 'workflows' ? dirname(dirname(resolve(file))) : null;

async function lintText(text: string, name: string, root: string | null, context: LintContext): Promise<Diagnostic[]> {
  const overlay = await overlayOf(root, context);
  const { diagnostics } = parseWorkflow(text, name, {
    ...namesOf(context),
    ...((root !== null || context.baseIntelligence !== null) && { hasAgent: overlay.has }),
  });
  return diagnostics;
}

/** The folder nearest to the file decides: `agents/` holds agents, everything else is taken for a workflow. */
const isAgentFile = (path: string): boolean =>
  dirname(resolve(path))
    .split(/[\\/]/)
    .findLast((part) => part === 'agents' || part === 'workflows') === 'agents';

async function lintOne(path: string, context: LintContext): Promise<Diagnostic[]> {
  if (path === '-') return lintText(context.stdin ?? '', STDIN_NAME, null, context);
  let size: number;
  try {
    const entry = await stat(path);
    if (entry.isDirectory()) return await lintFolder(path, context);
    size = entry.size;
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw new SvcError('not-found', `${path} cannot be read: ${messageOf(error)}.`, { cause: error });
  }
  if (size > MAX_LAYER_FILE_BYTES)
    throw new SvcError('too-large', `${path} has ${size} bytes; the limit is ${MAX_LAYER_FILE_BYTES}.`);
  const text = await readFile(path, 'utf8');
  return isAgentFile(path)
    ? parseAgent(text, path, context.layer ?? 'tenant', namesOf(context)).diagnostics
    : lintText(text, path, layerRootOf(path), context);
}

/**
 * Lints files, folders (their `workflows/` and `agents/`) and, for `-`, standard input as a workflow. Findings carry the
 * paths as they were given. Throws SvcError `not-found` for a path that is not there.
 */
export async function lintPaths(paths: readonly string[], context: LintContext): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const path of paths) found.push(...(await lintOne(path, context)));
  return found;
}
