import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { CreatedJob, CreateJobBody } from '../../../contract/schema/api/bodies.ts';
import type {
  Dispatch,
  DispatchRefusal,
  DispatchState,
} from '../../../contract/schema/cloud/dispatch.ts';
import type { Sql } from '../../database/database.ts';
import type { NamedRunners } from '../list/toTeamJob.ts';

/** A dispatch as it is stored, with the name of who made it. */
export interface DispatchRow {
  id: string;
  team_id: string;
  created_by: string;
  creator_name: string;
  body: CreateJobBody;
  labels: string[];
  wanted_runner: string | null;
  state: DispatchState;
  reason: string;
  reason_since: Date;
  runner_id: string | null;
  home_id: string | null;
  job_id: string | null;
  reply: CreatedJob | null;
  refusal: DispatchRefusal | null;
  refusals: DispatchRefusal[];
  created_at: Date;
  sent_at: Date | null;
  ended_at: Date | null;
  attempts: number;
}

/** The columns of {@link DispatchRow}, of `dispatches` and `users`. */
export const selectDispatches = (sql: Sql) => sql`
  select dispatches.id, dispatches.team_id, dispatches.created_by, users.name as creator_name, dispatches.body,
    to_jsonb(dispatches.labels) as labels, dispatches.wanted_runner, dispatches.state, dispatches.reason,
    dispatches.reason_since, dispatches.runner_id, dispatches.home_id, dispatches.job_id, dispatches.reply,
    dispatches.refusal, dispatches.refusals, dispatches.created_at, dispatches.sent_at, dispatches.ended_at,
    dispatches.attempts
  from dispatches join users on users.id = dispatches.created_by`;

/** A dispatch of a team; undefined = the team has none with this id. */
export async function findDispatch(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<DispatchRow | undefined> {
  const [row] = await sql<DispatchRow[]>`
    ${selectDispatches(sql)} where dispatches.team_id = ${teamId} and dispatches.id = ${id}`;
  return row;
}

const toIso = (time: Date | null): string | null =>
  time === null ? null : toIsoTime(time.getTime());

const readText = (params: Record<string, unknown>, name: string): string | null => {
  const value = params[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** Longest request that a list of dispatches shows, characters. */
const MAX_DESCRIPTION_CHARS = 2_000;

/** Why it is in its state, and since when. */
function explainState(row: DispatchRow, runners: NamedRunners): { reason: string; since: string } {
  const since = toIsoTime(row.reason_since.getTime());
  if (row.state !== 'sent') return { reason: row.reason, since };
  const runner = row.runner_id === null ? undefined : runners.get(row.runner_id);
  if (runner === undefined) return { reason: 'sent to a runner that was removed', since };
  if (runner.revokedAt !== undefined)
    return {
      reason: `sent to ${runner.name}, which was revoked`,
      since: since > runner.revokedAt ? since : runner.revokedAt,
    };
  return runner.awaySince === null
    ? { reason: `sent to ${runner.name}`, since }
    : {
        reason: `sent to ${runner.name}, which is away since ${runner.awaySince}`,
        since: since > runner.awaySince ? since : runner.awaySince,
      };
}

/** A dispatch as the API shows it. */
export const toDispatch = (row: DispatchRow, runners: NamedRunners): Dispatch => ({
  id: row.id,
  state: row.state,
  ...explainState(row, runners),
  createdBy: { userId: row.created_by, name: row.creator_name },
  type: row.body.type,
  workflowPath: row.body.workflowPath,
  description: (readText(row.body.params, 'description') ?? '').slice(0, MAX_DESCRIPTION_CHARS),
  repoSlug: readText(row.body.params, 'repoSlug'),
  labels: row.labels,
  wantedRunner: row.wanted_runner,
  runner: row.runner_id === null ? null : (runners.get(row.runner_id) ?? null),
  jobId: row.job_id,
  refusal: row.refusal,
  createdAt: toIsoTime(row.created_at.getTime()),
  sentAt: toIso(row.sent_at),
  endedAt: toIso(row.ended_at),
});
