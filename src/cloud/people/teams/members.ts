import { SvcError } from '../../../base/errors/errors.ts';
import type { TeamRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { Member } from '../../../contract/schema/cloud/team.ts';
import type { TransactionSql } from '../../database/database.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import { mayDo, type TeamAction } from '../mayDo.ts';

interface MemberRow {
  user_id: string;
  email: string;
  name: string;
  role: TeamRole;
  created_at: Date;
}

const toMember = ({ user_id, created_at, ...row }: MemberRow): Member => ({
  userId: user_id,
  ...row,
  joinedAt: created_at.toISOString(),
});

const readMembers = (sql: TransactionSql | CloudContext['database']['sql'], teamId: string) =>
  sql<MemberRow[]>`
    select m.user_id, u.email, u.name, m.role, m.created_at
    from members m join users u on u.id = m.user_id
    where m.team_id = ${teamId} order by u.name, u.email`;

export async function listMembers({ database }: CloudContext, teamId: string): Promise<Member[]> {
  return (await readMembers(database.sql, teamId)).map(toMember);
}

/** Who changes a member, and of which team. */
export interface MemberChange {
  teamId: string;
  userId: string;
  by: { userId: string; role: TeamRole };
}

export const changeRole = (
  ctx: CloudContext,
  change: MemberChange,
  role: TeamRole,
): Promise<Member> =>
  ctx.database.transaction(async (sql) => {
    const member = await lockMember(sql, change);
    const isAboutOwners = member.role === 'owner' || role === 'owner';
    await refuseUnlessMay(change, isAboutOwners ? 'owner.change' : 'member.change');
    if (member.role === 'owner' && role !== 'owner') await refuseLastOwner(sql, change.teamId);
    await sql`
      update members set role = ${role}
      where team_id = ${change.teamId} and user_id = ${change.userId}`;
    await revokeInvitationsAbove(sql, change, role, ctx.clock.now());
    return toMember({ ...member, role });
  });

/**
 * Ends a membership, also one's own. The person's runners leave the team with them, and links that
 * they made for others, or for themselves, are void.
 */
export const removeMember = (ctx: CloudContext, change: MemberChange): Promise<void> =>
  ctx.database.transaction(async (sql) => {
    const member = await lockMember(sql, change);
    const isOwn = change.userId === change.by.userId;
    await refuseUnlessMay(
      change,
      member.role === 'owner' && !isOwn ? 'owner.change' : 'member.remove',
    );
    if (member.role === 'owner') await refuseLastOwner(sql, change.teamId);
    await endMembership(sql, change, ctx.clock.now());
  });

type Membership = Pick<MemberChange, 'teamId' | 'userId'>;

async function endMembership(
  sql: TransactionSql,
  { teamId, userId }: Membership,
  now: number,
): Promise<void> {
  await sql`delete from members where team_id = ${teamId} and user_id = ${userId}`;
  await sql`
    update runners set revoked_at = ${new Date(now)}
    where team_id = ${teamId} and owner_id = ${userId} and revoked_at is null`;
  await sql`
    delete from pairing_codes
    where team_id = ${teamId} and created_by = ${userId} and used_at is null`;
  await revokeInvitationsAbove(sql, { teamId, userId }, null, now);
}

/** The result for a membership: `kept` = without it the team would have no owner. */
export type RoleOutcome = 'changed' | 'same' | 'kept';

/**
 * Gives a person this role in the team; null ends the membership as {@link removeMember} does. The last
 * owner remains one.
 */
export async function setMemberRole(
  sql: TransactionSql,
  { teamId, userId }: Membership,
  role: TeamRole | null,
  now: number,
): Promise<RoleOutcome> {
  const rows = await sql<{ user_id: string; role: TeamRole }[]>`
    select user_id, role from members
    where team_id = ${teamId} and (role = 'owner' or user_id = ${userId})
    order by user_id for update`;
  const knownRole = rows.find((row) => row.user_id === userId)?.role ?? null;
  if (knownRole === role) return 'same';
  if (knownRole === 'owner' && rows.every((row) => row.user_id === userId)) return 'kept';
  if (role === null) await endMembership(sql, { teamId, userId }, now);
  else {
    await sql`
      insert into members ${sql({ team_id: teamId, user_id: userId, role, created_at: new Date(now) })}
      on conflict (team_id, user_id) do update set role = excluded.role`;
    await revokeInvitationsAbove(sql, { teamId, userId }, role, now);
  }
  return 'changed';
}

/**
 * All owners and the member, locked in one order: of two owners who demote each other at the same
 * time, one remains.
 */
async function lockMember(
  sql: TransactionSql,
  { teamId, userId }: MemberChange,
): Promise<MemberRow> {
  await sql`
    select 1 from members
    where team_id = ${teamId} and (role = 'owner' or user_id = ${userId})
    order by user_id for update`;
  const member = (await readMembers(sql, teamId)).find((row) => row.user_id === userId);
  if (member === undefined) throw new SvcError('not-found', 'No member of this team has this id.');
  return member;
}

async function refuseUnlessMay({ userId, by }: MemberChange, action: TeamAction): Promise<void> {
  if (mayDo(by.role, action, userId === by.userId)) return;
  throw new SvcError(
    'forbidden',
    action === 'owner.change'
      ? 'Only an owner of the team may do this.'
      : 'Only an admin of the team may do this.',
  );
}

async function refuseLastOwner(sql: TransactionSql, teamId: string): Promise<void> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) as count from members where team_id = ${teamId} and role = 'owner'`;
  if ((row?.count ?? 0) <= 1)
    throw new SvcError(
      'not-possible-now',
      'This person is the only owner of the team. Make another member an owner first.',
    );
}

/** Links that the person could not make any more: with one, they could take back the role that they had. */
async function revokeInvitationsAbove(
  sql: TransactionSql,
  { teamId, userId }: Membership,
  role: TeamRole | null,
  now: number,
): Promise<void> {
  if (role !== null && mayDo(role, 'owner.change')) return;
  const mayInvite = role !== null && mayDo(role, 'invitation.create');
  await sql`
    update invitations set revoked_at = ${new Date(now)}
    where team_id = ${teamId} and invited_by = ${userId} and accepted_at is null and revoked_at is null
      and (role = 'owner' or not ${mayInvite}::boolean)`;
}
