import { isAppended } from '../../workflows/overlay/mergeLayers.ts';
import { isAgentPath, isWorkflowPath } from '../../workflows/overlay/layerFiles.ts';
import type { JobRepo } from '../../providers/forges.ts';
import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import type { ProposalChecks } from '../../contract/schema/workflow/proposal.ts';
import type { ResolvedOverlay } from '../workspace/jobOverlays.ts';
import { simulateText } from '../workspace/editing/simulateText.ts';
import type { Workplace } from '../workspace/workplace.ts';
import type { ProposalLayer } from '../../base/agents/proposals.ts';
import { describeMeaning } from '../../workflows/proposals/reading/describeMeaning.ts';
import { collectFileWarnings } from '../../workflows/proposals/reading/collectFileWarnings.ts';
import { toOverlayPath } from './routeProposal.ts';

const MAX_FINDINGS = 100;

export interface ProposedState {
  layer: ProposalLayer;
  repo: JobRepo | null;
  /** Text by path in the layer; null = removed. */
  files: ReadonlyMap<string, string | null>;
}

export interface CheckedState {
  checks: ProposalChecks;
  /** Errors that the change introduces; empty = none. */
  errors: Diagnostic[];
  /** Faulty files of the layers, which are ignored with or without the change. */
  leftOut: ResolvedOverlay['files']['leftOut'];
}

const toDiagnosticKey = ({ file, code, message }: Diagnostic): string =>
  `${file} ${code} ${message}`;

function collectDiagnostics(
  { overlay }: ResolvedOverlay,
  agents: readonly string[],
  layer: ProposalLayer,
) {
  const ofAgents = agents
    .filter((path) => overlay.has(path))
    .flatMap((path) => overlay.draftAgent(path, overlay.text(path), layer).diagnostics);
  const all = [...overlay.workflows().diagnostics, ...ofAgents];
  return new Map(all.map((one) => [toDiagnosticKey(one), one]));
}

async function simulateChangedWorkflow(after: ResolvedOverlay, path: string) {
  if (after.overlay.workflow(path).table === null) return null;
  const { outcome, phase, waitsFor } = await simulateText(
    after,
    path,
    after.overlay.text(path),
    '',
  );
  const waits = waitsFor.length === 0 ? '' : `, waiting for ${waitsFor.join(', ')}`;
  return { path, outcome, says: `a simulated job ends ${outcome} in the phase ${phase}${waits}` };
}

/** Why the state cannot be used, as one sentence; null = it can. */
export const explainUnsoundness = ({ errors }: CheckedState): string | null => {
  const [first] = errors;
  if (!first) return null;
  const more = errors.length === 1 ? '' : ` (and ${errors.length - 1} more)`;
  return `${first.file}:${first.line}:${first.column} ${first.message}${more}`;
};

/**
 * Reads, lints and simulates the layers as if the files were written. Existing findings do not
 * count, unless they are in the changed files. Nothing is written.
 */
export async function checkProposedState(
  workplace: Pick<Workplace, 'overlay'>,
  { layer, repo, files }: ProposedState,
): Promise<CheckedState> {
  const changed = new Map([...files].map(([path, text]) => [toOverlayPath(path), text]));
  const before = await workplace.overlay(repo, { forAuthor: true });
  const after = await workplace.overlay(repo, {
    forAuthor: true,
    changes: { layer, files: changed },
  });
  const agents = [...changed.keys()].filter(isAgentPath);
  const known = collectDiagnostics(before, agents, layer);
  const found = [...collectDiagnostics(after, agents, layer)];
  const brought = found.filter(([key, { file }]) => changed.has(file) || !known.has(key));
  const findings = brought.map(([, one]) => one);
  const errors = findings.filter(({ severity }) => severity === 'error');
  const textOf = ({ overlay }: ResolvedOverlay, path: string): string | null =>
    overlay.has(path) ? overlay.text(path) : null;
  const simulated = [];
  for (const path of [...changed.keys()].filter(isWorkflowPath)) {
    const one = after.overlay.has(path) ? await simulateChangedWorkflow(after, path) : null;
    if (one !== null) simulated.push(one);
  }
  const paths = [...before.files.files.keys()];
  const texts = [...changed].map(([path, text]) => ({
    path,
    before: isAppended(path) ? readTextOfLayer(before, layer, path) : textOf(before, path),
    // Removing a file may uncover one of an earlier layer.
    after: text === null && !isAppended(path) ? textOf(after, path) : text,
  }));
  return {
    errors,
    leftOut: after.files.leftOut,
    checks: {
      findings: findings.slice(0, MAX_FINDINGS),
      simulated,
      meaning: texts.flatMap(describeMeaning),
      warnings: texts.flatMap((file) => collectFileWarnings(file, paths)),
    },
  };
}

/** The text of a file in one layer; for memory files, the layers are joined. */
function readTextOfLayer(
  { layers }: ResolvedOverlay,
  layer: ProposalLayer,
  path: string,
): string | null {
  const bytes = layers.find(({ name }) => name === layer)?.files.get(path);
  return bytes === undefined ? null : new TextDecoder().decode(bytes);
}
