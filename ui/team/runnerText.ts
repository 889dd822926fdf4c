import { formatCount } from '../../src/base/text/formatCount.ts';
import type { RunnerOfJob, TeamJob } from '../../src/contract/schema/cloud/teamJob.ts';
import type { TeamRunner } from '../../src/contract/schema/cloud/teamRunner.ts';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';

/** The runner of a job as it is now; null = the job is not one of a list of a team. */
export function findRunnerOfJob(
  job: JobSummary | undefined,
  runners: readonly TeamRunner[],
): RunnerOfJob | null {
  const listedRunner = (job as Partial<TeamJob> | undefined)?.runner;
  if (listedRunner === undefined) return null;
  const knownRunner = runners.find(({ id }) => id === listedRunner.id);
  if (knownRunner === undefined) return listedRunner;
  // The list said it when the job changed last; the runner may have come or gone since.
  return {
    id: knownRunner.id,
    name: knownRunner.name,
    awaySince: knownRunner.connected
      ? null
      : (knownRunner.awaySince ?? knownRunner.revokedAt ?? listedRunner.awaySince),
    ...(knownRunner.continuedBy === undefined ? {} : { continuedBy: knownRunner.continuedBy }),
  };
}

export const ACCEPT_TEXT: Readonly<Record<TeamRunner['accept'], string>> = {
  own: 'Jobs of its owner',
  team: 'Jobs of everyone in the team',
  none: 'No jobs of the team',
};

export type RunnerTone = 'good' | 'needs-you' | 'over' | 'bad';

/** How a runner is, in a word. */
export function describeRunner(runner: TeamRunner): { tone: RunnerTone; says: string } {
  if (runner.revokedAt !== null) return { tone: 'bad', says: 'Revoked' };
  if (!runner.connected)
    return runner.awaySince === null && runner.version === null
      ? { tone: 'over', says: 'Never connected' }
      : { tone: 'over', says: 'Away' };
  if (runner.state === 'draining') return { tone: 'needs-you', says: 'Draining' };
  if (runner.state === 'starting') return { tone: 'needs-you', says: 'Starting' };
  if (runner.state === 'stopping') return { tone: 'needs-you', says: 'Stopping' };
  return { tone: 'good', says: 'Connected' };
}

export const describeSlots = ({ slots, free }: Pick<TeamRunner, 'slots' | 'free'>): string =>
  slots === null
    ? ''
    : free === null
      ? formatCount(slots, 'slot')
      : `${free} of ${formatCount(slots, 'slot')} free`;

/** Commands for the machine itself: its name, labels and consent are its own. */
export const listMachineCommands = (): readonly (readonly [says: string, command: string])[] => [
  ['Change its name', 'svc config set cloud.name build-1'],
  ['Change its labels', `svc config set cloud.labels '["linux","gpu"]'`],
  ['Choose whose jobs it takes: own, team or none', 'svc config set cloud.accept team'],
];
