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

type Fragment = ReturnType<typeof buildTeamCondition>;

async function readPage(
  { database: { sql }, directory }: JobListParts,
  teamId: string,
  condition: Fragment,
  { order, limit, offset }: { order: Fragment; limit: number; offset: number },
): Promise<TeamJobPage> {
  const [rows, [countRow], runners] = await Promise.all([
    sql`select runner_id, summary from jobs where ${condition}
      order by ${order} limit ${limit} offset ${offset}`,
    sql`select count(*) as total from jobs where ${condition}`,
    directory.list(teamId),
  ]);
  const runnerNames = nameRunners(runners);
  return {
    jobs: rows.map(({ runner_id, summary }) => toTeamJob({ runner_id, summary }, runnerNames)),
    total: Number(countRow?.total),
  };
}

/** A page of the list of a team. */
export async function readTeamJobs(
  parts: JobListParts,
  teamId: string,
  query: TeamJobsQuery,
): Promise<TeamJobPage> {
  refuseOtherFilters(query);
  const { sql } = parts.database;
  const { limit = DEFAULT_JOBS, offset = 0 } = query;
  const order = sql`created_at desc, job_id desc, runner_id`;
  return readPage(parts, teamId, buildTeamCondition(sql, teamId, query), { order, limit, offset });
}

/** Jobs that need a person, the longest wait first. */
export function readTeamInbox(
  parts: JobListParts,
  teamId: string,
  { limit = DEFAULT_INBOX, offset = 0 }: { limit?: number; offset?: number },
): Promise<TeamJobPage> {
  const { sql } = parts.database;
  const order = sql`coalesce(summary ->> 'since', summary ->> 'updatedAt'), job_id`;
  return readPage(parts, teamId, sql`team_id = ${teamId} and needs_person`, {
    order,
    limit,
    offset,
  });
}
