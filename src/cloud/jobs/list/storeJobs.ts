import type { Database } from '../../database/database.ts';
import { formatListRows, pickNewestRows } from '../../runners/formatListRows.ts';
import type { ReceivedJobs } from '../../runners/runnerDirectory.ts';

/**
 * Stores rows of a runner's list. Each row that differs from what is stored gets the next number of the team's list; the
 * row of the team is locked meanwhile, so that numbers become visible in their order. A row that was read before the one
 * that is stored, by the entries of the home's log, changes nothing.
 */
export async function storeJobs(
  { transaction }: Pick<Database, 'transaction'>,
  { teamId, runnerId, rows, range }: ReceivedJobs,
): Promise<void> {
  const newestRows = pickNewestRows(rows);
  const storedJson = formatListRows(newestRows);
  await transaction(async (sql) => {
    const [team] = await sql`
      select last_job_change from teams where id = ${teamId} for no key update`;
    if (team === undefined) return;
    const last = Number(team.last_job_change);
    if (range !== undefined)
      await sql`
        delete from jobs where team_id = ${teamId} and runner_id = ${runnerId}
          and (${range.after}::timestamptz is null or created_at > ${range.after}::timestamptz)
          and (${range.before}::timestamptz is null or created_at < ${range.before}::timestamptz)
          and job_id not in (select one ->> 'id' from jsonb_array_elements(${storedJson}::text::jsonb) one)`;
    if (newestRows.length === 0) return;
    const { count } = await sql`
      insert into jobs (team_id, runner_id, job_id, change, summary, status, type, title, repo, parent_job_id,
        campaign_parent_id, needs_person, created_at, updated_at, search, log_id, entry)
      select ${teamId}, ${runnerId}, id, ${last}::bigint + n, summary, status, type, title, repo, parent, parent, needs,
        created, updated, search, (select log_id from homes where runner_id = ${runnerId}), entry
      from jsonb_to_recordset(${storedJson}::text::jsonb) as given (n int, id text, summary jsonb, status text, type text,
        title text, repo text, parent text, needs boolean, created timestamptz, updated timestamptz, search text, entry bigint)
      on conflict (team_id, runner_id, job_id) do update set change = excluded.change, summary = excluded.summary,
        status = excluded.status, type = excluded.type, title = excluded.title, repo = excluded.repo,
        parent_job_id = excluded.parent_job_id, campaign_parent_id = excluded.campaign_parent_id,
        needs_person = excluded.needs_person, created_at = excluded.created_at, updated_at = excluded.updated_at,
        search = excluded.search, log_id = excluded.log_id, entry = excluded.entry, is_unnumbered = false
      where (jobs.summary is distinct from excluded.summary or jobs.is_unnumbered)
        and (jobs.log_id = excluded.log_id and jobs.entry > excluded.entry) is not true`;
    if (count > 0)
      await sql`update teams set last_job_change = ${last + newestRows.length} where id = ${teamId}`;
  });
}
