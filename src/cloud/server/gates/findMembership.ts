import { parseTeamRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { Database } from '../../database/database.ts';
import type { CallTeam } from '../cloudCall.ts';

/** A team by its ID or slug, if the user is a member; read for each request, so that a new role counts at once. */
export async function findMembership(
  { sql }: Database,
  userId: string,
  team: string,
): Promise<CallTeam | null> {
  const [row] = await sql`
    select teams.id, teams.slug, members.role
    from teams join members on members.team_id = teams.id and members.user_id = ${userId}
    where teams.id = ${team} or teams.slug = ${team}
    order by (teams.id = ${team}) desc limit 1`;
  const role = parseTeamRole(row?.role);
  return row === undefined || role === null
    ? null
    : { id: String(row.id), slug: String(row.slug), role };
}
