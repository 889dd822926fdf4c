import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { SvcError } from '../../lib/errors.ts';
import type { Diagnostic } from '../../schema/diagnostic.ts';
import { findingsFor } from '../workflows/findings.ts';
import { parseAgent } from '../workflows/parseAgent.ts';
import type { ParsedWorkflow } from '../workflows/parseWorkflow.ts';
import {
  LINTED_FOLDERS,
  type LintContext,
  namesOf,
  overlayAround,
  readDraft,
  readText,
} from './readDraft.ts';
import { readLayer } from './readLayer.ts';

/** A sub-run's `lane` names its workflow by the id, and so do people who start jobs. */
function sameIds(parsed: readonly ParsedWorkflow[]): Diagnostic[] {
  const first = new Map<string, string>();
  return parsed.flatMap(({ file, meta, idPlace }) => {
    const other = first.get(meta.id);
    first.set(meta.id, other ?? file);
    if (other === undefined) return [];
    const findings = findingsFor(file);
    const message = `The ID ${meta.id} is already used by ${other}.`;
    findings.warning(
      'duplicate-id',
      idPlace,
      message,
      'Give each workflow its own id; the default is the name of the file.',
    );
    return findings.list;
  });
}

async function lintFolder(dir: string, context: LintContext): Promise<Diagnostic[]> {
  const own = await readLayer(context.layer ?? 'tenant', dir, LINTED_FOLDERS);
  const overlay = await overlayAround(dir, context);
  const workflows = [...own.files.keys()].filter(
    (path) => /^workflows\/[^/]+\.md$/.test(path) && path !== 'workflows/README.md',
  );
  const agents = [...own.files.keys()].filter((path) => /^agents\/.+\.md$/.test(path));
  if (workflows.length + agents.length === 0) {
    throw new SvcError(
      'not-found',
      `${resolve(dir)} has neither workflows/*.md nor agents/*.md. Name one file, or the folder that contains workflows/ (.svc in a repository).`,
    );
  }
  const parsed = workflows.map(overlay.workflow);
  const found = [
    ...parsed.flatMap(({ diagnostics }) => diagnostics),
    ...sameIds(parsed),
    ...agents.flatMap((path) => overlay.agent(path).diagnostics),
  ];
  const seen = new Set<string>();
  return found
    .filter(
      (one) =>
        own.files.has(one.file) && !seen.has(JSON.stringify(one)) && seen.add(JSON.stringify(one)),
    )
    .map((one) => ({ ...one, file: join(dir, one.file) }));
}

/**
 * The folder nearest to the file decides: `agents/` holds agents, everything else is taken for a
 * workflow.
 */
const isAgentFile = (path: string): boolean =>
  dirname(resolve(path))
    .split(/[\\/]/)
    .findLast((part) => part === 'agents' || part === 'workflows') === 'agents';

async function lintOne(path: string, context: LintContext): Promise<Diagnostic[]> {
  const isFolder = path !== '-' && (await stat(path).catch(() => null))?.isDirectory();
  if (isFolder) return lintFolder(path, context);
  if (path === '-' || !isAgentFile(path))
    return (await readDraft(path, context)).parsed.diagnostics;
  return parseAgent(
    await readText(path, context.baseIntelligence),
    path,
    context.layer ?? 'tenant',
    namesOf(context),
  ).diagnostics;
}

/**
 * Lints files, folders (their `workflows/` and `agents/`) and, for `-`, standard input as a
 * workflow. Findings carry the paths as they were given. Throws SvcError `not-found` for a path
 * that is not there.
 */
export async function lintPaths(
  paths: readonly string[],
  context: LintContext,
): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const path of paths) found.push(...(await lintOne(path, context)));
  return found;
}
