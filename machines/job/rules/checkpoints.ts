import type { WorkflowTable } from '../../../src/contract/schema/workflow/workflow.ts';
import type { Approvals, JobContext } from '../jobContext.ts';
import { MAX_CHECKPOINTS } from './limits.ts';
import { hasOpenCheckpoint, isAutoApproved, isBackwardStep, findPhase } from './phases.ts';
import { sha256 } from './sha256.ts';

/** Digits kept of the first version's hash, enough to recognise it. */
const RECOGNISED_DIGITS = 16;

/** For a job that has not visited any phase of its workflow. */
export const NO_APPROVALS: Approvals = {
  at: null,
  given: false,
  approved: [],
  first: {},
  subRuns: null,
};

/** A step through a workflow from `from` (null = from outside) to another phase. */
interface Way {
  workflow: WorkflowTable;
  params: Record<string, unknown>;
  from: string | null;
  /** The visit of `from` was approved. */
  fromGiven: boolean;
  /** Phases with an approved earlier visit. */
  approved: readonly string[];
}

/**
 * The one rule about approvals: the first phase from `from` (included) up to `target`, in workflow
 * order, whose checkpoint was not approved. Null = the target may begin. A phase that the workflow
 * no longer has counts as its beginning.
 */
export function findBlockingCheckpoint(
  { workflow, params, from, fromGiven, approved }: Way,
  target: string,
): string | null {
  const findPhaseIndex = (name: string | null): number =>
    workflow.phases.findIndex((phase) => phase.name === name);
  const knownIndex = findPhaseIndex(from);
  const start = knownIndex >= 0 ? knownIndex : Math.max(0, findPhaseIndex(workflow.initial_phase));
  const missing = workflow.phases
    .slice(start, Math.max(start, findPhaseIndex(target)))
    .find(
      (phase) =>
        hasOpenCheckpoint(phase, params) &&
        !(phase.name === from ? fromGiven : approved.includes(phase.name)),
    );
  return missing?.name ?? null;
}

/**
 * The step on from the newest visit or, before the first visit after a switch, from the phase that
 * the switch named.
 */
const deriveWayOn = ({ workflow, params, approvals, workflowPathHistory }: JobContext): Way => ({
  workflow,
  params,
  fromGiven: approvals.at !== null && approvals.given,
  approved: approvals.approved,
  from: approvals.at ?? workflowPathHistory.at(-1)?.toPhase ?? null,
});

/** What must be approved before `target` may begin; see {@link findBlockingCheckpoint}. */
export const findApprovalBefore = (context: JobContext, target: string): string | null =>
  findBlockingCheckpoint(deriveWayOn(context), target);

/**
 * The same, ignoring the newest visit's own checkpoint: an agent may ask for what follows it, and
 * the checkpoint then holds the job at the session's end.
 */
export const findApprovalBeyondVisit = (context: JobContext, target: string): string | null =>
  findBlockingCheckpoint({ ...deriveWayOn(context), fromGiven: true }, target);

/**
 * The checkpoint that the visit being prepared would skip in the current workflow. The first visit
 * after a switch skips everything before its phase; a person must have approved that with the
 * switch.
 */
export function findSkippedCheckpoint(context: JobContext, workflow: WorkflowTable): string | null {
  const { approvals, params, phase, workflowPathHistory } = context;
  if (approvals.at !== null)
    return findBlockingCheckpoint(deriveWayOn({ ...context, workflow }), phase);
  if (workflowPathHistory.length === 0 || approvals.given) return null;
  return findBlockingCheckpoint(
    { workflow, params, from: null, fromGiven: false, approved: approvals.approved },
    phase,
  );
}

/** The newest visit's phase has an unapproved checkpoint. */
export const needsApproval = ({
  workflow,
  params,
  approvals,
}: Pick<JobContext, 'workflow' | 'params' | 'approvals'>): boolean =>
  approvals.at !== null &&
  !approvals.given &&
  hasOpenCheckpoint(findPhase(workflow, approvals.at), params);

/**
 * The first checkpoint of the target workflow that the requested switch skips; null = none. A
 * switch may name any phase, so it is not refused but must be approved.
 */
export function findCheckpointSkippedBySwitch({
  signals,
  workflowPath,
  params,
  approvals,
}: JobContext): string | null {
  if (signals.switch === null) return null;
  const { workflow, workflowPath: to, toPhase } = signals.switch;
  const approvedCheckpoints = to === workflowPath ? approvals.approved : [];
  return findBlockingCheckpoint(
    { workflow, params, from: null, fromGiven: false, approved: approvedCheckpoints },
    toPhase,
  );
}

/** The checkpoint before `target` is passed because it was approved in advance. */
export const isApprovedInAdvance = (
  { workflow, params, approvals: { at, given } }: JobContext,
  target: string,
): boolean => {
  const currentPhase = findPhase(workflow, at ?? '');
  return (
    currentPhase?.interactive_checkpoint === true &&
    !given &&
    isAutoApproved(params, currentPhase.name) &&
    !isBackwardStep(workflow, currentPhase.name, target)
  );
};

export const approveNewestVisit = (approvals: Approvals): Approvals => ({
  ...approvals,
  given: true,
  approved:
    approvals.at === null
      ? approvals.approved
      : [...dropVisitPhase(approvals), approvals.at].slice(-MAX_CHECKPOINTS),
});

const dropVisitPhase = ({ at, approved }: Approvals): string[] =>
  approved.filter((name) => name !== at);

/** Rejects the newest visit; an earlier approval of its phase no longer counts. */
export const rejectNewestVisit = (approvals: Approvals): Approvals => ({
  ...approvals,
  given: false,
  approved: dropVisitPhase(approvals),
});

/**
 * Records that a visit of `phase` is prepared. A visit cut off before that counts for nothing: the
 * next is measured from where the job was.
 */
export const openVisitApproval = (approvals: Approvals, phase: string): Approvals => ({
  ...approvals,
  at: phase,
  given: false,
});

/**
 * Key of the checkpoint's first shown version. The same phase name in another workflow is another
 * checkpoint; a phase that waits for its sub-runs counts as the phase the job came from.
 */
const computeCheckpointKey = ({ workflowPath, approvals, phase }: JobContext): string =>
  // The letter keeps the key from being taken for an index, since indexes do not keep their order.
  `c${sha256(JSON.stringify([workflowPath, approvals.at ?? phase])).slice(0, RECOGNISED_DIGITS)}`;

/** Remembers the first version shown at the present checkpoint. */
export function rememberFirstVersion(context: JobContext, hash: string): Approvals {
  const { approvals } = context;
  const key = computeCheckpointKey(context);
  if (Object.hasOwn(approvals.first, key)) return approvals;
  const entries = [
    ...Object.entries(approvals.first),
    [key, hash.slice(0, RECOGNISED_DIGITS)],
  ].slice(-MAX_CHECKPOINTS);
  return { ...approvals, first: Object.fromEntries(entries) };
}

/** Another version was shown first at the present checkpoint. */
export function isLaterVersion(context: JobContext, hash: string): boolean {
  const { first } = context.approvals;
  const key = computeCheckpointKey(context);
  return Object.hasOwn(first, key) && first[key] !== hash.slice(0, RECOGNISED_DIGITS);
}
