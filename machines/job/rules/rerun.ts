import type { JobContext } from '../jobContext.ts';
import { approvalBefore } from './checkpoints.ts';
import { phaseWord } from '../../../src/domain/invariants/invariant.ts';
import { refusalText } from './invariantTexts.ts';
import { refusedBy } from './monitors.ts';
import { phaseNamed } from './phases.ts';

/** Why a person's rerun of the phase is refused, in sentences; empty = it is taken. */
export function rerunProblems(context: JobContext, target: string): string[] {
  const { workflow, approvals, parked, next } = context;
  if (!phaseNamed(workflow, target)) {
    return [
      `there is no phase ${target}; the workflow has ${workflow.phases.map(({ name }) => name).join(', ')}`,
    ];
  }
  // What begins with the next slot anyway.
  if (next !== null && next.phase === target) return [];
  const missing = approvalBefore(context, target);
  if (missing === null) {
    const refused = refusedBy(context, phaseWord(target));
    return refused ? [refusalText(refused)] : [];
  }
  const way =
    parked?.kind === 'approval' && missing === approvals.at
      ? `approve phase ${missing} first`
      : `rerun phase ${missing} first, and approve it when it asks`;
  return [
    `phase ${missing} comes before ${target}, has a checkpoint and was not approved: ${way}, or rerun an earlier phase`,
  ];
}
