import { DEFAULT_JOBS } from '../../../contract/schema/api/queries.ts';
import {
  DEFAULT_INBOX,
  type TeamJob,
  type TeamJobsQuery,
} from '../../../contract/schema/cloud/teamJob.ts';
import type { Database } from '../../database/database.ts';
import type { RunnerDirectory } from '../../runners/runnerDirectory.ts';
import { buildTeamCondition, refuseOtherFilters } from './buildTeamCondition.ts';
import { nameRunners, toTeamJob } from './toTeamJob.ts';

export interface JobListParts {
  database: Pick<Database, 'sql'>;
  directory: Pick<RunnerDirectory, 'list'>;
}

export interface TeamJobPage {
  jobs: TeamJob[];
  total: number;
}

/** A page of the list of a team. */
export async function readTeamJobs(
  { database: { sql }, directory }: JobListParts,
  teamId: string,
  query: TeamJobsQuery,
): Promise<TeamJobPage> {
  refuseOtherFilters(query);
  const { limit = DEFAULT_JOBS, offset = 0 } = query;
  const condition = buildTeamCondition(sql, teamId, query);
  const [rows, [counted], runners] = await Promise.all([
    sql`select runner_id, summary from jobs where ${condition}
      order by created_at desc, job_id desc, runner_id limit ${limit} offset ${offset}`,
    sql`select count(*) as total from jobs where ${condition}`,
    directory.list(teamId),
  ]);
  const runnerNames = nameRunners(runners);
  return {
    jobs: rows.map(({ runner_id, summary }) => toTeamJob({ runner_id, summary }, runnerNames)),
    total: Number(counted?.total),
  };
}

/** Jobs that need a person, the longest wait first. */
export async function readTeamInbox(
  { database: { sql }, directory }: JobListParts,
  teamId: string,
  { limit = DEFAULT_INBOX, offset = 0 }: { limit?: number; offset?: number },
): Promise<TeamJobPage> {
  const [rows, [counted], runners] = await Promise.all([
    sql`select runner_id, summary from jobs where team_id = ${teamId} and needs_person
      order by coalesce(summary ->> 'since', summary ->> 'updatedAt'), job_id limit ${limit} offset ${offset}`,
    sql`select count(*) as total from jobs where team_id = ${teamId} and needs_person`,
    directory.list(teamId),
  ]);
  const runnerNames = nameRunners(runners);
  return {
    jobs: rows.map(({ runner_id, summary }) => toTeamJob({ runner_id, summary }, runnerNames)),
    total: Number(counted?.total),
  };
}
