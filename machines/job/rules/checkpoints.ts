import type { WorkflowTable } from '../../../src/contract/schema/workflow/workflow.ts';
import type { Approvals, JobContext } from '../jobContext.ts';
import { MAX_CHECKPOINTS } from './limits.ts';
import { hasOpenCheckpoint, isAutoApproved, isBackwardStep, findPhase } from './phases.ts';
import { sha256 } from './sha256.ts';

/** Digits of a hash that are kept of the first version shown: enough to recognise it. */
const RECOGNISED_DIGITS = 16;

/** A job that has not visited any phase of its workflow yet. */
export const NO_APPROVALS: Approvals = {
  at: null,
  given: false,
  approved: [],
  first: {},
  subRuns: null,
};

/** A way through a workflow: it leaves `from` (null = it enters the workflow) for another phase. */
interface Way {
  workflow: WorkflowTable;
  params: Record<string, unknown>;
  from: string | null;
  /** The visit of `from` was approved. */
  fromGiven: boolean;
  /** Phases of which a visit was approved before. */
  approved: readonly string[];
}

/**
 * The one rule about approvals: the first phase with a checkpoint that lies between `from` and
 * `target` in the order of the workflow, `from` included, and was neither approved nor approved in
 * advance. Null = the target may begin. A phase that the workflow does not have (it was renamed or
 * removed) counts as its beginning.
 */
export function findBlockingCheckpoint(
  { workflow, params, from, fromGiven, approved }: Way,
  target: string,
): string | null {
  const indexOf = (name: string | null): number =>
    workflow.phases.findIndex((phase) => phase.name === name);
  const known = indexOf(from);
  const start = known >= 0 ? known : Math.max(0, indexOf(workflow.initial_phase));
  const missing = workflow.phases
    .slice(start, Math.max(start, indexOf(target)))
    .find(
      (phase) =>
        hasOpenCheckpoint(phase, params) &&
        !(phase.name === from ? fromGiven : approved.includes(phase.name)),
    );
  return missing?.name ?? null;
}

/**
 * The way that leaves the newest visit or, before the first one in a workflow that it switched to,
 * the phase that the switch named.
 */
const deriveWayOn = ({ workflow, params, approvals, workflowPathHistory }: JobContext): Way => ({
  workflow,
  params,
  fromGiven: approvals.at !== null && approvals.given,
  approved: approvals.approved,
  from: approvals.at ?? workflowPathHistory.at(-1)?.toPhase ?? null,
});

/**
 * What has to be approved before the job may continue with `target`; see {@link findBlockingCheckpoint}.
 */
export const findApprovalBefore = (context: JobContext, target: string): string | null =>
  findBlockingCheckpoint(deriveWayOn(context), target);

/**
 * The same without the approval of the newest visit itself: an agent may ask for what follows it,
 * and the checkpoint then holds the job when the session is over.
 */
export const findApprovalBeyondVisit = (context: JobContext, target: string): string | null =>
  findBlockingCheckpoint({ ...deriveWayOn(context), fromGiven: true }, target);

/**
 * What the visit that is being prepared would step over, with the workflow as it is now. The first
 * visit after a switch steps over everything before its phase: a person has approved that with the
 * switch, or it is unapproved.
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
 * The first checkpoint of the target workflow that the switch asked for steps over; null = none. A
 * switch may name any phase, so such a one is not refused: a person has to approve it.
 */
export function findCheckpointSkippedBySwitch({
  signals,
  workflowPath,
  params,
  approvals,
}: JobContext): string | null {
  if (signals.switch === null) return null;
  const { workflow, workflowPath: to, toPhase } = signals.switch;
  const approved = to === workflowPath ? approvals.approved : [];
  return findBlockingCheckpoint(
    { workflow, params, from: null, fromGiven: false, approved },
    toPhase,
  );
}

/**
 * The checkpoint of the visit that ends by continuing to `target` is passed because it was approved
 * in advance.
 */
export const isApprovedInAdvance = (
  { workflow, params, approvals: { at, given } }: JobContext,
  target: string,
): boolean => {
  const left = findPhase(workflow, at ?? '');
  return (
    left?.interactive_checkpoint === true &&
    !given &&
    isAutoApproved(params, left.name) &&
    !isBackwardStep(workflow, left.name, target)
  );
};

/** The newest visit is approved. */
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

/** The newest visit is rejected: an earlier approval of its phase opens no way past it any more. */
export const rejectNewestVisit = (approvals: Approvals): Approvals => ({
  ...approvals,
  given: false,
  approved: dropVisitPhase(approvals),
});

/**
 * A visit of `phase` is prepared. One that was cut off before that opens no way: the next one is
 * measured from where the job was.
 */
export const openVisitApproval = (approvals: Approvals, phase: string): Approvals => ({
  ...approvals,
  at: phase,
  given: false,
});

/**
 * The name under which the first version of the present checkpoint is remembered. A phase of the
 * same name in another workflow is another checkpoint; one that waits for its sub-runs is the one
 * that the job came from.
 */
const computeCheckpointKey = ({ workflowPath, approvals, phase }: JobContext): string =>
  // The letter keeps it from being taken for an index: those do not keep their order.
  `c${sha256(JSON.stringify([workflowPath, approvals.at ?? phase])).slice(0, RECOGNISED_DIGITS)}`;

/** A version is shown at the present checkpoint: the first one is remembered. */
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

/** Another version than this one was shown first at the present checkpoint. */
export function isLaterVersion(context: JobContext, hash: string): boolean {
  const { first } = context.approvals;
  const key = computeCheckpointKey(context);
  return Object.hasOwn(first, key) && first[key] !== hash.slice(0, RECOGNISED_DIGITS);
}
