import type { OpenOverlay } from '../../workflows/overlay/openOverlay.ts';
import { requireRunnableTable } from '../../jobs/create/jobChecks.ts';
import {
  type ParentOfSubRuns,
  resolveSubRunWorkflow,
} from '../../jobs/subRuns/buildSubRunParams.ts';
import { isLastingError, isRepairable, SvcError } from '../../base/errors/errors.ts';
import { type JobRepo, readJobRepo } from '../../providers/forges.ts';
import type { WorkflowTable } from '../../contract/schema/workflow/workflow.ts';
import type { ResolvedOverlay } from '../../jobs/workspace/jobOverlays.ts';

type Params = Record<string, unknown>;

export interface SubRunLayersDeps {
  overlay(repo: JobRepo | null): Promise<ResolvedOverlay>;
  /** The layers that a job was last prepared with; null = none. */
  readKeptOverlay(jobId: string): Promise<ResolvedOverlay | null>;
}

interface SubRunLayers {
  overlay: OpenOverlay;
  path: string;
  table: WorkflowTable;
}

/** Whether a job works in its parent's repository, at the same forge. */
export const isInSameRepo = (one: Params, other: Params): boolean => {
  const [a, b] = [readJobRepo(one), readJobRepo(other)];
  return a?.slug === b?.slug && a?.provider === b?.provider;
};

/** The same error, marked as repairable by a person: see `isRepairable`. */
export const toRepairable = ({ code, message, errors, data }: SvcError): SvcError =>
  new SvcError(code, message, { errors, data: { ...data, repairable: true } });

function resolveSubRunLayers(
  { overlay }: ResolvedOverlay,
  parent: ParentOfSubRuns,
  params: Params,
): SubRunLayers {
  const subRunWorkflow = resolveSubRunWorkflow(overlay, parent, params);
  if ('problem' in subRunWorkflow) throw new SvcError('not-found', subRunWorkflow.problem);
  return {
    overlay,
    path: subRunWorkflow.path,
    table: requireRunnableTable(overlay, subRunWorkflow.path),
  };
}

/**
 * The workflow of a sub-run from the current layers or, if these cannot be used, from those that
 * its parent was last prepared with; then its job reports what to repair. Throws SvcError:
 * `isRepairable` if a person can repair the cause, `not-found` for a workflow that never existed;
 * temporary errors unchanged.
 */
export async function readSubRunLayers(
  deps: SubRunLayersDeps,
  parent: ParentOfSubRuns,
  params: Params,
): Promise<SubRunLayers> {
  try {
    return resolveSubRunLayers(await deps.overlay(readJobRepo(params)), parent, params);
  } catch (error) {
    if (!isRepairable(error) && !isLastingError(error)) throw error;
    const resolvedOverlay = await deps.readKeptOverlay(parent.id).catch(() => null);
    const before = resolvedOverlay && resolveKeptLayers(resolvedOverlay, parent, params);
    if (before && isInSameRepo(params, parent.params)) return before;
    // The linter knows the workflow of the coordinator, not a lane of a sub-run.
    const isKnown = resolvedOverlay ? before !== null : params.lane === undefined;
    if (error.code === 'not-found' && !isKnown) throw error;
    // A team overlay that is not fetched yet is fetched again.
    if (error.code === 'cannot-run') throw new SvcError('unreachable', error.message);
    throw toRepairable(error);
  }
}

function resolveKeptLayers(
  resolvedOverlay: ResolvedOverlay,
  parent: ParentOfSubRuns,
  params: Params,
) {
  try {
    return resolveSubRunLayers(resolvedOverlay, parent, params);
  } catch {
    return null;
  }
}
