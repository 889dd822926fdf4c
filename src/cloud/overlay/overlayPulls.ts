import { SvcError } from '../../base/errors/errors.ts';
import {
  MAX_OVERLAY_PULLS,
  type OverlayPull,
  type OverlayPullContent,
} from '../../contract/schema/cloud/overlayPull.ts';
import type { Sql, TransactionSql } from '../database/database.ts';
import type { CallingRunner } from '../server/cloudCall.ts';
import {
  parseContent,
  readProposal,
  selectProposals,
  type StoredProposal,
} from './proposalRows.ts';

/** After this time a runner that could not open a pull request is asked again, ms. */
const ASK_AGAIN_MS = 10 * 60_000;

/**
 * Whether a runner is believed about merges, which no one else sees: one of the pool, which an admin has paired, or the
 * machine of an admin.
 */
async function isTrustedWithPulls(
  sql: Sql,
  { teamId, ownerId }: Pick<CallingRunner, 'teamId' | 'ownerId'>,
): Promise<boolean> {
  if (ownerId === null) return true;
  const [row] = await sql`
    select 1 from members where team_id = ${teamId} and user_id = ${ownerId} and role in ('admin', 'owner')`;
  return row !== undefined;
}

/** Whether a pull request is this runner's, or free for it: no runner of the team that still exists has it. */
export const isFreeFor = (sql: Sql | TransactionSql, runnerId: string) => sql`
  (pull_runner_id is null or pull_runner_id = ${runnerId} or exists
    (select 1 from runners where runners.id = pull_runner_id and runners.revoked_at is not null))`;

const toPull = (row: StoredProposal, runnerId: string): OverlayPull[] => {
  if (row.pull === null) return [];
  const { forge, repository, branch, folder } = row.pull;
  return [
    {
      proposalId: row.id,
      hash: row.hash,
      attempt: row.pull_attempts,
      repository: { forge, repository, branch, folder },
      isMine: row.pull_runner_id === runnerId,
      number: row.pull_number,
    },
  ];
};

/**
 * The pull requests that a runner follows or may open, its own first. `isWaiting`: the team waits for one, so that it
 * should ask again.
 */
export async function listPulls(
  sql: Sql,
  runner: Pick<CallingRunner, 'teamId' | 'ownerId' | 'runnerId'>,
  now: number,
): Promise<{ pulls: OverlayPull[]; isWaiting: boolean }> {
  const { teamId, runnerId } = runner;
  const [waiting] = await sql`
    select 1 from proposals where team_id = ${teamId} and state = 'applying' limit 1`;
  if (waiting === undefined || !(await isTrustedWithPulls(sql, runner)))
    return { pulls: [], isWaiting: false };
  const rows = await sql<StoredProposal[]>`
    ${selectProposals(sql)} where team_id = ${teamId} and state = 'applying' and ${isFreeFor(sql, runnerId)}
      and (changed_at < ${new Date(now - ASK_AGAIN_MS)} or not pull_refused_by @> to_jsonb(${runnerId}::text))
    order by pull_runner_id = ${runnerId} desc nulls last, changed_at limit ${MAX_OVERLAY_PULLS}`;
  return { pulls: rows.flatMap((row) => toPull(row, runnerId)), isWaiting: true };
}

/** A proposal whose pull request this runner may open or follows. Throws SvcError `not-found`. */
export async function readPullRow(
  sql: Sql,
  runner: Pick<CallingRunner, 'teamId' | 'ownerId' | 'runnerId'>,
  id: string,
): Promise<StoredProposal> {
  if (await isTrustedWithPulls(sql, runner)) return readProposal(sql, runner.teamId, id);
  throw new SvcError('not-found', 'This runner is asked for no pull requests.');
}

/** The texts of a pull request that this runner has taken. Throws SvcError `not-found`. */
export async function readPullContent(
  sql: Sql,
  runner: Pick<CallingRunner, 'teamId' | 'ownerId' | 'runnerId'>,
  id: string,
): Promise<OverlayPullContent> {
  const row = await readPullRow(sql, runner, id);
  if (row.state !== 'applying' || row.pull === null || row.pull_runner_id !== runner.runnerId)
    throw new SvcError('not-found', 'This runner has taken no such pull request.');
  const { description, job_id: jobId, pull } = row;
  const files = parseContent(row).map(({ path, base, text }) => ({ path, base, text }));
  return { description, jobId, author: pull.person, files };
}
