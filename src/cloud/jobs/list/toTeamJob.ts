import type { RunnerOfJob, TeamJob } from '../../../contract/schema/cloud/teamJob.ts';
import type { KnownRunner } from '../../runners/runnerDirectory.ts';

export type NamedRunners = ReadonlyMap<string, RunnerOfJob>;

/** Since when a runner is away; null = it is connected. */
export const findAwaySince = ({
  connected,
  awaySince,
  revokedAt,
  createdAt,
}: Pick<KnownRunner, 'connected' | 'awaySince' | 'revokedAt' | 'createdAt'>): string | null =>
  connected ? null : (awaySince ?? revokedAt ?? createdAt);

export const toRunnerOfJob = (runner: KnownRunner): RunnerOfJob => ({
  id: runner.id,
  name: runner.name,
  awaySince: findAwaySince(runner),
  ...(runner.revokedAt === null ? {} : { revokedAt: runner.revokedAt }),
  ...(runner.continuedBy === undefined ? {} : { continuedBy: runner.continuedBy }),
});

export const nameRunners = (runners: readonly KnownRunner[]): NamedRunners =>
  new Map(runners.map((runner) => [runner.id, toRunnerOfJob(runner)]));

/** A stored row as the list shows it. The summary is what the runner sent. */
export const toTeamJob = (
  { runner_id, summary }: { runner_id: string; summary: object },
  runners: NamedRunners,
): TeamJob =>
  ({
    ...summary,
    runner: runners.get(runner_id) ?? { id: runner_id, name: runner_id, awaySince: null },
  }) as TeamJob;
