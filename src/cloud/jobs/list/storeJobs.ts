import { foldText } from '../../../base/text/foldText.ts';
import type { ListedJobRow, ReceivedJobs } from '../../runners/runnerDirectory.ts';
import type { Database } from '../../database/database.ts';
import { formatStoredJson } from '../../server/formatStoredJson.ts';

/** Longest text that searches look in, characters; the runner's own list looks in as many of the request. */
const MAX_SEARCH_CHARS = 2_000;

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What `q` looks in. */
function buildSearchText(row: ListedJobRow): string {
  const { id, description, repoSlug, status, workflowPath, phase, reason } = row;
  return foldText(
    [
      id,
      description.slice(0, MAX_SEARCH_CHARS),
      repoSlug ?? '',
      toText(workflowPath),
      toText(phase),
      status,
      toText(reason),
    ].join('\n'),
  );
}

const toStoredRow = (row: ListedJobRow, n: number) => ({
  n,
  id: row.id,
  summary: row,
  status: row.status,
  type: row.type,
  title: row.description,
  repo: row.repoSlug,
  parent: row.parentJobId,
  needs: row.needs !== null && row.needs !== undefined,
  created: row.createdAt,
  updated: row.updatedAt,
  search: buildSearchText(row),
});

/**
 * Stores rows of a runner's list. Each row that differs from what is stored gets the next number of the team's list; the
 * row of the team is locked meanwhile, so that numbers become visible in their order.
 */
export async function storeJobs(
  { transaction }: Pick<Database, 'transaction'>,
  { teamId, runnerId, rows, range }: ReceivedJobs,
): Promise<void> {
  // Of several rows of one job the last counts.
  const newest = [...new Map(rows.map((row) => [row.id, row])).values()];
  const storedJson = formatStoredJson(newest.map((row, index) => toStoredRow(row, index + 1)));
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
    if (newest.length === 0) return;
    const { count } = await sql`
      insert into jobs (team_id, runner_id, job_id, change, summary, status, type, title, repo, parent_job_id,
        campaign_parent_id, needs_person, created_at, updated_at, search)
      select ${teamId}, ${runnerId}, id, ${last}::bigint + n, summary, status, type, title, repo, parent, parent, needs,
        created, updated, search
      from jsonb_to_recordset(${storedJson}::text::jsonb) as given (n int, id text, summary jsonb, status text, type text,
        title text, repo text, parent text, needs boolean, created timestamptz, updated timestamptz, search text)
      on conflict (team_id, runner_id, job_id) do update set change = excluded.change, summary = excluded.summary,
        status = excluded.status, type = excluded.type, title = excluded.title, repo = excluded.repo,
        parent_job_id = excluded.parent_job_id, campaign_parent_id = excluded.campaign_parent_id,
        needs_person = excluded.needs_person, created_at = excluded.created_at, updated_at = excluded.updated_at,
        search = excluded.search
      where jobs.summary is distinct from excluded.summary`;
    if (count > 0)
      await sql`update teams set last_job_change = ${last + newest.length} where id = ${teamId}`;
  });
}
