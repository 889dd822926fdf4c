import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import { hasRole, type TeamRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { TransactionSql } from '../../database/database.ts';
import { addAudit } from '../../server/audit/appendAudit.ts';
import { type RoleOutcome, setMemberRole } from '../teams/members.ts';
import type { GroupRole } from './companyIssuer.ts';

/** For each team of the table, the highest role of these groups; null = none of them has one there. */
export function chooseRoles(
  table: readonly GroupRole[],
  groups: readonly string[],
): Map<string, TeamRole | null> {
  const groupSet = new Set(groups);
  const rolesByTeam = new Map<string, TeamRole | null>();
  for (const { group, teamId, role } of table) {
    const best = rolesByTeam.get(teamId) ?? null;
    const isBetter = groupSet.has(group) && (best === null || hasRole(role, best));
    rolesByTeam.set(teamId, isBetter ? role : best);
  }
  return rolesByTeam;
}

/**
 * Gives a person the roles of their groups in the teams of the table, with an entry in the audit log for each change.
 * Who is in no group of a team leaves it.
 */
export async function applyGroupRoles(
  sql: TransactionSql,
  user: { id: string; name: string },
  roles: ReadonlyMap<string, TeamRole | null>,
  { now, address }: { now: number; address: string | null },
): Promise<void> {
  const outcomes: [teamId: string, role: TeamRole | null, outcome: RoleOutcome][] = [];
  // In one order everywhere: two logins never wait for each other.
  for (const [teamId, role] of [...roles].sort(([one], [other]) => (one < other ? -1 : 1)))
    outcomes.push([teamId, role, await setMemberRole(sql, { teamId, userId: user.id }, role, now)]);
  for (const [teamId, role, outcome] of outcomes)
    if (outcome !== 'same')
      await addAudit(sql, teamId, {
        at: toIsoTime(now),
        userId: user.id,
        person: user.name,
        address,
        action: 'groupRole',
        target: { userId: user.id, role: role ?? 'none' },
        failed: outcome === 'kept' ? 'not-possible-now' : null,
        refersTo: null,
      });
}
