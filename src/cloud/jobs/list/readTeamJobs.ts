import { SvcError } from '../../../base/errors/errors.ts';
import { foldText } from '../../../base/text/foldText.ts';
import { DEFAULT_JOBS } from '../../../contract/schema/api/queries.ts';
import {
  DEFAULT_INBOX,
  TEAM_FILTERS,
  type TeamJob,
  type TeamJobsQuery,
} from '../../../contract/schema/cloud/teamJob.ts';
import type { Database } from '../../database/database.ts';
import type { RunnerDirectory } from '../../runners/runnerDirectory.ts';
import { nameRunners, toTeamJob } from './toTeamJob.ts';

export interface JobListParts {
  database: Pick<Database, 'sql'>;
  directory: Pick<RunnerDirectory, 'list'>;
}

export interface TeamJobPage {
  jobs: TeamJob[];
  total: number;
}

/** Throws SvcError `bad-argument` for a filter that only the list of one runner has. */
function refuseOtherFilters(query: TeamJobsQuery): void {
  const others = Object.keys(query).filter((name) => !TEAM_FILTERS.includes(name));
  if (others.length > 0)
    throw new SvcError(
      'bad-argument',
      `The list of a team cannot be filtered by ${others.join(', ')}. Name a runner with ?runner= to use the filters of its own list. Here: ${TEAM_FILTERS.join(', ')}.`,
      { errors: others.map((name) => ({ pointer: `?${name}`, message: 'needs runner' })) },
    );
}

const escapePattern = (word: string): string => word.replace(/[\\%_]/g, '\\$&');

/** A page of the list of a team. */
export async function readTeamJobs(
  { database: { sql }, directory }: JobListParts,
  teamId: string,
  query: TeamJobsQuery,
): Promise<TeamJobPage> {
  refuseOtherFilters(query);
  const { status, type, q, campaignParentId, limit = DEFAULT_JOBS, offset = 0 } = query;
  const { parentJobId = campaignParentId } = query;
  const words = foldText(q ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const condition = sql`team_id = ${teamId}
    ${status === undefined ? sql`` : sql`and (status = ${status} or split_part(status, ':', 1) = ${status})`}
    ${type === undefined ? sql`` : sql`and type = ${type}`}
    ${parentJobId === undefined ? sql`` : sql`and parent_job_id = ${parentJobId}`}
    ${words.length === 0 ? sql`` : words.map((word) => sql` and search like ${`%${escapePattern(word)}%`}`)}`;
  const [rows, [counted], runners] = await Promise.all([
    sql`select runner_id, summary from jobs where ${condition}
      order by created_at desc, job_id desc, runner_id limit ${limit} offset ${offset}`,
    sql`select count(*) as total from jobs where ${condition}`,
    directory.list(teamId),
  ]);
  const named = nameRunners(runners);
  return {
    jobs: rows.map(({ runner_id, summary }) => toTeamJob({ runner_id, summary }, named)),
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
  const named = nameRunners(runners);
  return {
    jobs: rows.map(({ runner_id, summary }) => toTeamJob({ runner_id, summary }, named)),
    total: Number(counted?.total),
  };
}
