import {
  DEFAULT_DISPATCHES,
  type Dispatch,
  type DispatchesQuery,
} from '../../../contract/schema/cloud/dispatch.ts';
import type { JobListParts } from '../list/readTeamJobs.ts';
import { nameRunners } from '../list/toTeamJob.ts';
import { type DispatchRow, selectDispatches, toDispatch } from './dispatchRow.ts';

/** A page of a team's dispatches, newest first. */
export async function listDispatches(
  { database: { sql }, directory }: JobListParts,
  teamId: string,
  { state, limit = DEFAULT_DISPATCHES, offset = 0 }: DispatchesQuery,
): Promise<{ dispatches: Dispatch[]; total: number }> {
  const states = JSON.stringify(state?.split(',') ?? []);
  const condition = sql`dispatches.team_id = ${teamId} ${
    state === undefined
      ? sql``
      : sql`and dispatches.state in (select jsonb_array_elements_text(${states}::text::jsonb))`
  }`;
  const [rows, [countRow], runners] = await Promise.all([
    sql<DispatchRow[]>`${selectDispatches(sql)} where ${condition}
      order by dispatches.created_at desc, dispatches.id desc limit ${limit} offset ${offset}`,
    sql`select count(*) as total from dispatches where ${condition}`,
    directory.list(teamId),
  ]);
  const runnerNames = nameRunners(runners);
  return {
    dispatches: rows.map((row) => toDispatch(row, runnerNames)),
    total: Number(countRow?.total),
  };
}
