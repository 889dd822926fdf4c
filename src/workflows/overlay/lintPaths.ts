import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { SvcError } from '../../base/errors/errors.ts';
import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import type { InvariantProof } from '../../contract/schema/workflow/invariantProof.ts';
import { createFindings, type LintCode } from '../definition/findings.ts';
import { toInvariantProofs } from '../definition/invariants/toInvariantProofs.ts';
import { CHECKOUT_FILE, parseCheckoutFile } from '../definition/parseCheckoutFile.ts';
import { parseAgent } from '../definition/parseAgent.ts';
import type { ParsedWorkflow } from '../definition/parseWorkflow.ts';
import { isAgentPath, isWorkflowPath, explainUnreadFile } from './layerFiles.ts';
import { toLeftOutFindings } from './toLeftOutFindings.ts';
import type { OpenOverlay } from './openOverlay.ts';
import {
  LINTED_FOLDERS,
  chooseLintedNames,
  openLintOverlay,
  readDraft,
  readSource,
  type LintContext,
} from './readDraft.ts';
import { STDIN_NAME } from './stdinName.ts';
import { readLayer } from './readLayer.ts';

/** Identifiers of a workflow. */
interface KnownWorkflow {
  file: string;
  id: string;
  label: string;
}

/**
 * Workflows that share an id, which sub-runs' `lane` and people use, or a label, which lists show.
 * `others` are not reported themselves.
 */
function findNameClashes(
  parsed: readonly ParsedWorkflow[],
  others: readonly KnownWorkflow[] = [],
): Diagnostic[] {
  const mapFilesBy = (key: 'id' | 'label') => new Map(others.map((one) => [one[key], one.file]));
  const ids = mapFilesBy('id');
  const labels = mapFilesBy('label');
  return parsed.flatMap(({ file, meta, places }) => {
    const findings = createFindings(file);
    const warnIfTaken = (knownNames: Map<string, string>, code: LintCode, key: 'id' | 'label') => {
      const other = knownNames.get(meta[key]);
      if (other === undefined) knownNames.set(meta[key], file);
      else
        findings.addWarning(
          code,
          places[key],
          `The ${key} ${meta[key]} is already used by ${other}.`,
          key === 'id'
            ? 'Give each workflow its own id; the default is the name of the file.'
            : 'Give each workflow its own label; lists show nothing else.',
        );
      return other !== undefined;
    };
    // A default label follows from the id: one mistake, one finding.
    const same = warnIfTaken(ids, 'duplicate-id', 'id');
    if (!same) warnIfTaken(labels, 'duplicate-label', 'label');
    return findings.list;
  });
}

export interface LintResult {
  diagnostics: Diagnostic[];
  /** The files that were read, by their path in findings. */
  sources: ReadonlyMap<string, string | Uint8Array>;
  /** What was proved of each workflow's invariants. */
  proofs: (InvariantProof & { file: string })[];
}

const FIRST = { line: 1, column: 1 };

const listFileProofs = (file: string, { sketch, proofs }: ParsedWorkflow): LintResult['proofs'] =>
  toInvariantProofs(sketch, proofs).map((proof) => ({ file, ...proof }));

function toSkippedFileFindings(file: string, why: string, hint: string): Diagnostic[] {
  const findings = createFindings(file);
  findings.note('skipped-file', FIRST, `This file is not read: ${why}.`, hint);
  return findings.list;
}

const isUnderLinted = (path: string): boolean =>
  LINTED_FOLDERS.includes(path.split('/', 1)[0] ?? '');

const listOtherWorkflows = (overlay: OpenOverlay, own: readonly string[]) =>
  overlay
    .workflows()
    .workflows.filter(({ workflowPath }) => !own.includes(workflowPath))
    .map(({ workflowPath, id, label }) => ({ file: workflowPath, id, label }));

async function lintFolder(dir: string, context: LintContext): Promise<LintResult> {
  const own = await readLayer(context.layer ?? 'tenant', dir, chooseLintedNames(dir));
  const notes = toLeftOutFindings(own.leftOut ?? []);
  const overlay = await openLintOverlay(dir, context);
  const paths = [...own.files.keys()];
  for (const path of paths.filter(isUnderLinted)) {
    const not = explainUnreadFile(path);
    if (not !== null) notes.push(...toSkippedFileFindings(path, not.why, not.hint));
  }
  const workflows = paths.filter(isWorkflowPath);
  const agents = paths.filter(isAgentPath);
  const isLayer = [...paths, ...notes.map(({ file }) => file)].some(isUnderLinted);
  // Read of repositories alone.
  const checkoutFile = basename(resolve(dir)) === '.svc' ? own.files.get(CHECKOUT_FILE) : undefined;
  if (workflows.length + agents.length === 0 && !isLayer && checkoutFile === undefined) {
    throw new SvcError(
      'not-found',
      `${resolve(dir)} has neither workflows/*.md nor agents/*.md. Name one file, or the folder that contains workflows/ (.svc in a repository).`,
    );
  }
  const parsed = workflows.map(overlay.workflow);
  const pathDiagnostics = [
    ...parsed.flatMap(({ diagnostics }) => diagnostics),
    ...findNameClashes(parsed, listOtherWorkflows(overlay, workflows)),
    ...agents.flatMap((path) => overlay.agent(path).diagnostics),
    ...(checkoutFile ? parseCheckoutFile(checkoutFile, CHECKOUT_FILE).diagnostics : []),
    ...notes,
  ];
  const seenPaths = new Set<string>();
  const isOwn = ({ file }: Diagnostic) =>
    own.files.has(file) || notes.some((one) => one.file === file);
  return {
    diagnostics: pathDiagnostics
      .filter(
        (one) =>
          isOwn(one) && !seenPaths.has(JSON.stringify(one)) && seenPaths.add(JSON.stringify(one)),
      )
      .map((one) => ({ ...one, file: join(dir, one.file) })),
    sources: new Map(
      [...workflows, ...agents, ...(checkoutFile ? [CHECKOUT_FILE] : [])].map((path) => [
        join(dir, path),
        own.files.get(path) ?? '',
      ]),
    ),
    proofs: parsed.flatMap((one) => listFileProofs(join(dir, one.file), one)),
  };
}

/** The nearest folder decides: `agents/` holds agents, everything else is a workflow. */
const isAgentFile = (path: string): boolean =>
  dirname(resolve(path))
    .split(/[\\/]/)
    .findLast((part) => part === 'agents' || part === 'workflows') === 'agents';

async function lintOne(path: string, context: LintContext): Promise<LintResult> {
  const isFolder = path !== '-' && (await stat(path).catch(() => null))?.isDirectory();
  if (isFolder) return lintFolder(path, context);
  if (path === '-' || !isAgentFile(path)) {
    const { parsed, source } = await readDraft(path, context);
    const file = path === '-' ? STDIN_NAME : path;
    const proofs = listFileProofs(file, parsed);
    return { diagnostics: parsed.diagnostics, sources: new Map([[file, source]]), proofs };
  }
  const source = await readSource(path, context.baseIntelligence);
  const layerRoot = resolve(path).replace(/[\\/]agents[\\/].*$/, '');
  const { diagnostics } = parseAgent(source, path, context.layer ?? 'tenant', {
    ...context,
    layerRoot,
  });
  return { diagnostics, sources: new Map([[path, source]]), proofs: [] };
}

/**
 * Lints files, folders (their `workflows/` and `agents/`) and, for `-`, standard input as a
 * workflow. Findings have the given paths. Throws SvcError `not-found` for a missing path.
 */
export async function lintSources(
  paths: readonly string[],
  context: LintContext,
): Promise<LintResult> {
  const all: LintResult[] = [];
  for (const path of paths) all.push(await lintOne(path, context));
  return {
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
    sources: new Map(all.flatMap(({ sources }) => [...sources])),
    proofs: all.flatMap(({ proofs }) => proofs),
  };
}

export const lintPaths = async (
  paths: readonly string[],
  context: LintContext,
): Promise<Diagnostic[]> => (await lintSources(paths, context)).diagnostics;
