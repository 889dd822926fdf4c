import type { JobCounts } from '../../../contract/schema/api/replies.ts';
import type { TeamJobCountsQuery } from '../../../contract/schema/cloud/teamJob.ts';
import type { Database, Sql } from '../../database/database.ts';
import { buildTeamCondition, isListed, refuseOtherFilters } from './buildTeamCondition.ts';

/** Most repositories, and most workflows, that are named; as many as those of a runner. */
const MAX_CHOICES = 200;

/** The values of a column, by name. Jumps from value to value in its index: few values, many jobs. */
async function listValues(sql: Sql, teamId: string, name: 'repo' | 'workflow'): Promise<string[]> {
  const column = sql(name);
  const rows = await sql`
    with recursive found (value) as (
      (select min(${column}) from jobs where team_id = ${teamId} and ${column} > '')
      union all
      select (select min(${column}) from jobs where team_id = ${teamId} and ${column} > found.value)
      from found where found.value is not null
    ) select value from found where value is not null limit ${MAX_CHOICES}`;
  return rows.map(({ value }) => String(value));
}

/** How many jobs of a team are in which state: the numbers that the list of a runner has, of all its runners. */
export async function countTeamJobs(
  { sql }: Pick<Database, 'sql'>,
  teamId: string,
  query: TeamJobCountsQuery,
): Promise<JobCounts> {
  refuseOtherFilters(query);
  const listedCondition = query.subRuns === undefined ? sql`true` : isListed(sql);
  const [[row], [waiting], repos, workflows] = await Promise.all([
    sql`
      select count(*) filter (where ${listedCondition}) as total,
        count(*) filter (where needs_person) as me,
        count(*) filter (where summary -> 'snoozed' is not null) as snoozed,
        count(*) filter (where needs_person and needs_group = 'decide') as decide,
        count(*) filter (where needs_person and needs_group = 'review') as review,
        count(*) filter (where needs_person and needs_group = 'broken') as broken,
        count(*) filter (where state = 'queued' and not needs_person and ${listedCondition}) as queued,
        count(*) filter (where state = 'working' and not needs_person and ${listedCondition}) as working,
        count(*) filter (where state = 'waiting' and not needs_person and ${listedCondition}) as waiting,
        count(*) filter (where state = 'partial' and not needs_person and ${listedCondition}) as partial,
        count(*) filter (where state = 'complete' and not needs_person and ${listedCondition}) as complete,
        count(*) filter (where state = 'cancelled' and not needs_person and ${listedCondition}) as cancelled,
        count(*) filter (where state = 'failed') as failed,
        count(*) filter (where state = 'failed' and parent_job_id is not null) as sub_runs,
        count(*) filter (where state = 'failed' and status = 'escalated') as escalated
      from jobs where ${buildTeamCondition(sql, teamId, query, { allParts: true })}`,
    sql`
      select count(*) as proposals from proposals
      where team_id = ${teamId} and state in ('open', 'approved', 'conflicted')`,
    listValues(sql, teamId, 'repo'),
    listValues(sql, teamId, 'workflow'),
  ]);
  const read = (name: string): number => Number(row?.[name] ?? 0);
  return {
    total: read('total'),
    needs: {
      me: read('me'),
      decide: read('decide'),
      review: read('review'),
      broken: read('broken'),
      snoozed: read('snoozed'),
      proposals: Number(waiting?.proposals ?? 0),
    },
    is: {
      'needs-you': read('me'),
      queued: read('queued'),
      working: read('working'),
      waiting: read('waiting'),
      failed: read('failed'),
      partial: read('partial'),
      complete: read('complete'),
      cancelled: read('cancelled'),
    },
    failures: {
      failed: read('failed'),
      subRuns: read('sub_runs'),
      escalated: read('escalated'),
    },
    repos,
    workflows,
  };
}
