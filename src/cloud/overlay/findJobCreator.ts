import type { Sql } from '../database/database.ts';
import type { StoredProposal } from './proposalRows.ts';

/**
 * The person who has started the job that proposes: who has dispatched it or the job that it is a part of, else the
 * owner of the machine. null = no person, such as a trigger of a runner of the pool.
 */
export async function findJobCreator(
  sql: Sql,
  teamId: string,
  { runner_id: runnerId, job_id: jobId }: Pick<StoredProposal, 'runner_id' | 'job_id'>,
): Promise<string | null> {
  const [row] = await sql`
    with recursive line (job_id, depth) as (
      select ${jobId}::text, 0
      union all
      select jobs.parent_job_id, line.depth + 1 from jobs join line on jobs.job_id = line.job_id
      where jobs.team_id = ${teamId} and jobs.runner_id = ${runnerId} and jobs.parent_job_id is not null
        and line.depth < 20
    )
    select coalesce(
      (select dispatches.created_by from dispatches join line on dispatches.job_id = line.job_id
        where dispatches.team_id = ${teamId} and dispatches.runner_id = ${runnerId}
        order by line.depth desc limit 1),
      (select owner_id from runners where id = ${runnerId} and team_id = ${teamId})) as creator`;
  return row?.creator ?? null;
}
