import { isWorkflowPath } from '../../workflows/overlay/layerFiles.ts';
import type { JobRepo } from '../../providers/forges.ts';
import type { Diagnostic } from '../../contract/schema/workflow/diagnostic.ts';
import type { ProposalChecks } from '../../contract/schema/workflow/proposal.ts';
import {
  compareStates,
  formatFirstError,
  type LayerState,
} from '../../workflows/proposals/compareStates.ts';
import type { ResolvedOverlay } from '../workspace/jobOverlays.ts';
import { simulateText } from '../workspace/editing/simulateText.ts';
import type { Workplace } from '../workspace/workplace.ts';
import type { ProposalLayer } from '../../base/agents/proposals.ts';
import { toOverlayPath } from './routeProposal.ts';

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
export const explainUnsoundness = ({ errors }: CheckedState): string | null =>
  formatFirstError(errors);

const toLayerState = ({ overlay, layers, files }: ResolvedOverlay): LayerState => ({
  overlay,
  layers,
  paths: [...files.files.keys()],
});

/**
 * Reads, lints and simulates the layers as if the files were written. Existing findings do not
 * count, unless they are in the changed files. Nothing is written.
 */
export async function checkProposedState(
  workplace: Pick<Workplace, 'overlay'>,
  { layer, repo, files }: ProposedState,
): Promise<CheckedState> {
  const changedTexts = new Map([...files].map(([path, text]) => [toOverlayPath(path), text]));
  const before = await workplace.overlay(repo, { forAuthor: true });
  const after = await workplace.overlay(repo, {
    forAuthor: true,
    changes: { layer, files: changedTexts },
  });
  const { errors, checks } = compareStates(toLayerState(before), toLayerState(after), {
    layer,
    changed: changedTexts,
  });
  const simulations = [];
  for (const path of [...changedTexts.keys()].filter(isWorkflowPath)) {
    const one = after.overlay.has(path) ? await simulateChangedWorkflow(after, path) : null;
    if (one !== null) simulations.push(one);
  }
  return { errors, leftOut: after.files.leftOut, checks: { ...checks, simulated: simulations } };
}
