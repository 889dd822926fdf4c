import { memoizeByObject } from '../../../src/base/concurrency/memoizeByObject.ts';
import { APPROVING_KEYS, REJECT } from '../../../src/base/jobs/resumeKeys.ts';
import type { WorkItem } from '../../../src/contract/schema/job/workItem.ts';
import type { JobContext } from '../jobContext.ts';
import { isLaterVersion } from './checkpoints.ts';
import { hasSubRunsLeft, isInParkPhase, isPastResumption } from './coordination.ts';
import { findNextPhase } from './phases.ts';
import { sha256 } from './sha256.ts';

/** What a person approves at a checkpoint; `shown` of GET /jobs/:jobId is its hash. */
export interface ApprovalContent {
  phase: string;
  plan: { artefactId: string; sha256: string } | null;
  /** Only the fields that say what to do. */
  workItems: Pick<WorkItem, 'id' | 'title' | 'status'>[];
  /** The next transition; `phase` null = the job completes, if the completion gate allows it. */
  follows: { workflowPath: string; phase: string | null };
  /** Hash over the full specs of registered sub-runs; null = none. */
  subRuns: string | null;
}

/** Sub-runs are finalized, and this is the phase that waits for them. */
export const hasOpenSubRuns = (
  context: Pick<JobContext, 'workflow' | 'phase' | 'subRuns'>,
): boolean =>
  isInParkPhase(context) && ['finalized', 'dispatched', 'reopened'].includes(context.subRuns ?? '');

/** Where the job continues after this phase, in the order of precedence of `buildNextRoutes`. */
function findFollowingPhase(context: JobContext): ApprovalContent['follows'] {
  const { signals, workflow, workflowPath, phase, subRuns } = context;
  const waits = hasOpenSubRuns(context);
  const waitsAgain = hasSubRunsLeft(context) && isPastResumption(context);
  if (!waits && !waitsAgain && signals.switch !== null)
    return { workflowPath: signals.switch.workflowPath, phase: signals.switch.toPhase };
  const resumePhase = workflow.coordinator?.resumePhase ?? phase;
  if (waits || waitsAgain) return { workflowPath, phase: resumePhase };
  const isOver = isInParkPhase(context) && (subRuns === 'settled' || subRuns === 'over');
  const after = isOver ? resumePhase : (findNextPhase(workflow, phase)?.name ?? null);
  return { workflowPath, phase: signals.goto?.phase ?? after };
}

export const collectApprovalContent = (context: JobContext): ApprovalContent => ({
  phase: context.phase,
  plan: context.shown,
  workItems: context.workItems.map(({ id, title, status }) => ({ id, title, status })),
  follows: findFollowingPhase(context),
  subRuns: context.approvals.subRuns,
});

/** SHA-256 of the content, 64 hex digits. */
export const hashApprovalContent = memoizeByObject((context: JobContext): string => {
  const { phase, plan, workItems, follows, subRuns } = collectApprovalContent(context);
  const items = workItems.map(({ id, title, status }) => [id, title, status]);
  return sha256(
    JSON.stringify([
      context.workflowPath,
      phase,
      plan?.sha256 ?? null,
      items,
      follows.workflowPath,
      follows.phase,
      subRuns,
    ]),
  );
});

/** The hash with one more registration; a spec that replaces another counts as one more. */
export const addSpecToHash = (
  before: string | null,
  name: string,
  spec: string | undefined,
): string => sha256(JSON.stringify([before, name, spec ?? null]));

interface CheckpointAnswer {
  eventKey: string;
  shown?: string;
}

/** The approval names no version although another version was shown here before. */
export const mustNameVersion = (
  context: JobContext,
  { eventKey, shown }: CheckpointAnswer,
): boolean =>
  APPROVING_KEYS.includes(eventKey) &&
  shown === undefined &&
  isLaterVersion(context, hashApprovalContent(context));

/** Why a resume neither approves nor rejects what is shown, in sentences; empty = it does. */
export function findApprovalProblems(context: JobContext, answer: CheckpointAnswer): string[] {
  const { eventKey, shown } = answer;
  if (eventKey !== REJECT && !APPROVING_KEYS.includes(eventKey)) {
    return [`the event ${eventKey} answers no checkpoint: use ${APPROVING_KEYS[0]} or ${REJECT}`];
  }
  const present = hashApprovalContent(context);
  if (mustNameVersion(context, answer)) {
    return [
      `what phase ${context.phase} shows has changed since it was first shown: review it, then approve it as ${present}`,
    ];
  }
  if (shown === undefined || shown === present) return [];
  return [
    `what phase ${context.phase} shows has changed since ${shown}: review it again, then approve it as ${present}`,
  ];
}
