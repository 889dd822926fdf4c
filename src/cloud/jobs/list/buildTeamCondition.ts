import { TEAM_FILTERS } from '../../../base/jobs/teamFilters.ts';
import { SvcError } from '../../../base/errors/errors.ts';
import { foldText } from '../../../base/text/foldText.ts';
import type { TeamJobsQuery } from '../../../contract/schema/cloud/teamJob.ts';
import type { Sql } from '../../database/database.ts';

/** Filters of the list of a team; a missing member does not filter. */
export type TeamFilter = Pick<
  TeamJobsQuery,
  | 'status'
  | 'is'
  | 'needs'
  | 'type'
  | 'repo'
  | 'workflow'
  | 'subRuns'
  | 'parentJobId'
  | 'campaignParentId'
  | 'q'
>;

/** Throws SvcError `bad-argument` for what only the list of one runner has. */
export function refuseOtherFilters(query: object): void {
  const others = Object.keys(query).filter((name) => !TEAM_FILTERS.includes(name));
  if (others.length > 0)
    throw new SvcError(
      'bad-argument',
      `The list of a team has no ${others.join(', ')}. Name a runner with ?runner= to use all that its own list has. Here: ${TEAM_FILTERS.join(', ')}.`,
      { errors: others.map((name) => ({ pointer: `?${name}`, message: 'needs runner' })) },
    );
}

const escapePattern = (word: string): string => word.replace(/[\\%_]/g, '\\$&');

/** Whether a row is listed where sub-runs that need no one are left out. */
export const isListed = (sql: Sql) => sql`(parent_job_id is null or needs_person)`;

/** One of the states; a job that needs a person is in none of them, except where it failed. */
function buildStateCondition(sql: Sql, is: string) {
  const wantedStates = is.split(',');
  const states = wantedStates.filter((one) => one !== 'needs-you');
  const needing = wantedStates.includes('needs-you') ? sql`needs_person` : sql`false`;
  return states.length === 0
    ? needing
    : sql`(${needing} or (state in ${sql(states)} and (state = 'failed' or not needs_person)))`;
}

function buildNeedsCondition(sql: Sql, needs: TeamFilter['needs']) {
  if (needs === undefined) return sql``;
  if (needs === 'snoozed') return sql`and summary -> 'snoozed' is not null`;
  return needs === 'me' ? sql`and needs_person` : sql`and needs_person and needs_group = ${needs}`;
}

/**
 * The rows of a team's list that match, as the list of a runner matches them. `allParts`: sub-runs that need no one are
 * not left out.
 */
export function buildTeamCondition(
  sql: Sql,
  teamId: string,
  { status, is, needs, type, repo, workflow, subRuns, q, campaignParentId, ...rest }: TeamFilter,
  { allParts = false } = {},
) {
  const { parentJobId = campaignParentId } = rest;
  const words = foldText(q ?? '')
    .split(/\s+/)
    .filter(Boolean);
  const hasFailed = is?.split(',').includes('failed') === true;
  const parts = hasFailed ? sql`(${isListed(sql)} or state = 'failed')` : isListed(sql);
  return sql`team_id = ${teamId}
    ${status === undefined ? sql`` : sql`and (status = ${status} or split_part(status, ':', 1) = ${status})`}
    ${is === undefined ? sql`` : sql`and ${buildStateCondition(sql, is)}`}
    ${buildNeedsCondition(sql, needs)}
    ${type === undefined ? sql`` : sql`and type = ${type}`}
    ${repo === undefined ? sql`` : sql`and repo = ${repo}`}
    ${workflow === undefined ? sql`` : sql`and workflow = ${workflow}`}
    ${parentJobId === undefined ? sql`` : sql`and parent_job_id = ${parentJobId}`}
    ${subRuns === undefined || allParts ? sql`` : sql`and ${parts}`}
    ${words.length === 0 ? sql`` : words.map((word) => sql` and search like ${`%${escapePattern(word)}%`}`)}`;
}
