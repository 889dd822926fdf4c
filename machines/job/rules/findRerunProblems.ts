import type { JobContext } from '../jobContext.ts';
import { findApprovalBefore } from './checkpoints.ts';
import { toPhaseWord } from '../../../src/base/invariants/invariant.ts';
import { describeInvariantRefusal } from './describeInvariantRefusal.ts';
import { findForbiddingRule } from './monitors.ts';
import { findPhase } from './phases.ts';

/** Why a person's rerun of the phase is refused, in sentences; empty = accepted. */
export function findRerunProblems(context: JobContext, target: string): string[] {
  const { workflow, approvals, parked, next } = context;
  if (!findPhase(workflow, target)) {
    return [
      `there is no phase ${target}; the workflow has ${workflow.phases.map(({ name }) => name).join(', ')}`,
    ];
  }
  // The next slot begins this phase anyway.
  if (next !== null && next.phase === target) return [];
  const missing = findApprovalBefore(context, target);
  if (missing === null) {
    const forbidden = findForbiddingRule(context, toPhaseWord(target));
    return forbidden ? [describeInvariantRefusal(forbidden)] : [];
  }
  const way =
    parked?.kind === 'approval' && missing === approvals.at
      ? `approve phase ${missing} first`
      : `rerun phase ${missing} first, and approve it when it asks`;
  return [
    `phase ${missing} comes before ${target}, has a checkpoint and was not approved: ${way}, or rerun an earlier phase`,
  ];
}
