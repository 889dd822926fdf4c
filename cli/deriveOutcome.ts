import type { Job } from '../src/contract/schema/job/job.ts';
import type { ExitCode } from './exitCodes.ts';

/**
 * How a waiting for a job ended. `incomplete`: complete, with sub-runs that failed or escalated.
 */
export type Outcome =
  | 'complete'
  | 'incomplete'
  | 'failed'
  | 'escalated'
  | 'cancelled'
  | 'waiting'
  | 'timeout'
  | 'detached';

/** Kinds of parking in which nothing moves until a person does something at the runner. */
const FOR_A_PERSON = ['approval', 'developer', 'paused', 'halted', 'external', 'flagged'];

/** The fields of a job, or of one of its state frames, that decide how a wait for it ends. */
export type JobStanding = Pick<Job, 'status' | 'ended'> & {
  parked: { kind: string; until?: string; needsPerson?: true } | null;
  incomplete?: string;
};

const isWaitForPerson = ({
  kind,
  until,
  needsPerson,
}: NonNullable<JobStanding['parked']>): boolean =>
  FOR_A_PERSON.includes(kind) || needsPerson === true || (kind === 'budget' && until === undefined);

export const needsPerson = ({ ended, parked }: JobStanding): boolean =>
  !ended && parked !== null && isWaitForPerson(parked);

/**
 * The outcome that a state means; null while the job continues without help. `waiting`: a person
 * must answer at the runner, or an event such as a review or a merge must come. A job parked for
 * `quota`, an `outage` or the budget of a day or week continues: a timer wakes it.
 */
export function deriveOutcome(now: JobStanding): Outcome | null {
  const { status, ended, parked, incomplete } = now;
  if (!ended) return needsPerson(now) || parked?.kind === 'event' ? 'waiting' : null;
  if (status === 'complete' && incomplete !== undefined) return 'incomplete';
  return status === 'complete' || status === 'escalated' || status === 'cancelled'
    ? status
    : 'failed';
}

const EXIT: Readonly<Record<Outcome, ExitCode>> = {
  complete: 0,
  incomplete: 9,
  failed: 6,
  escalated: 6,
  cancelled: 6,
  waiting: 7,
  timeout: 8,
  detached: 130,
};

export const toExitCode = (outcome: Outcome): ExitCode => EXIT[outcome];
