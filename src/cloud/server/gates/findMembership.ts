import { parseTeamRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { Database, Sql } from '../../database/database.ts';
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
  return toCallTeam(row ?? {});
}

/** Joins the team with this ID or slug, if the user of `users` is a member, with the columns that {@link toCallTeam} reads. */
export const joinTeam = (sql: Sql, team: string) => sql`
  left join lateral (
    select teams.id, teams.slug, members.role
    from teams join members on members.team_id = teams.id and members.user_id = users.id
    where teams.id = ${team} or teams.slug = ${team}
    order by (teams.id = ${team}) desc limit 1
  ) team on true`;

/** From a row with the team's ID and slug and the member's role; null = they are missing. */
export function toCallTeam({
  id,
  slug,
  role: storedRole,
}: Record<string, unknown>): CallTeam | null {
  const role = parseTeamRole(storedRole);
  return role === null ? null : { id: String(id), slug: String(slug), role };
}
