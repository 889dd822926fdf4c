import { findNamedRule } from '../../base/agents/guardrails.ts';
import { REJECT } from '../../base/jobs/resumeKeys.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { Parked } from '../../contract/schema/job/parked.ts';

/** The answers to a checkpoint. */
const ANSWERS: readonly string[] = ['approve', REJECT];

/**
 * Refuses an answer to a rule's stop: it would only run the phase again. Throws SvcError
 * `not-possible-now` for a job that waits because of a rule.
 */
export function refuseApprovalEvent(
  id: string,
  parking: Pick<Parked, 'kind' | 'reason'> | null,
  eventKey: string,
): void {
  const rule = parking?.kind === 'developer' ? findNamedRule(parking.reason) : null;
  if (rule === null || !ANSWERS.includes(eventKey)) return;
  throw new SvcError(
    'not-possible-now',
    `${id} waits for no approval: the guardrail ${rule} has stopped it, and "${eventKey}" allows nothing. A resume without an event continues without it; svc why ${id} names what else a person can do.`,
  );
}
