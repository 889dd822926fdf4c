import type { JobContext } from '../jobContext.ts';

const APPROVE = ['approve', 'manual-resume'];

/** The event key that sends a phase back. */
export const REJECT = 'reject';

/** Why a resume neither approves nor rejects what is shown, in sentences for people; empty = it does. */
export function approvalProblems({ shown }: Pick<JobContext, 'shown'>, answer: { eventKey: string; shown?: string }): string[] {
  if (answer.eventKey !== REJECT && !APPROVE.includes(answer.eventKey)) {
    return [`the event key ${answer.eventKey} is neither ${APPROVE.join(' nor ')} nor ${REJECT}`];
  }
  if (answer.shown === undefined || answer.shown === shown?.sha256) return [];
  return [`the plan ${answer.shown} is not the one that is shown now (${shown?.sha256 ?? 'there is none'}): look at it again`];
}
