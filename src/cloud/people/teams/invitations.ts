import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { Invitation, NewInvitation } from '../../../contract/schema/cloud/team.ts';
import { hasRole, type TeamRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { TransactionSql } from '../../database/database.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import { mayDo } from '../mayDo.ts';

/** How long the link of an invitation works, ms. */
export const INVITATION_MS = 7 * 24 * 60 * 60_000;

interface InvitationRow {
  id: string;
  role: TeamRole;
  invited_by: string;
  inviter: string;
  created_at: Date;
  expires_at: Date;
}

const toInvitation = (row: InvitationRow): Invitation => ({
  id: row.id,
  role: row.role,
  invitedBy: { userId: row.invited_by, name: row.inviter },
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
});

/** Those whose links work. */
export async function listInvitations(
  { database, clock }: CloudContext,
  teamId: string,
): Promise<Invitation[]> {
  const rows = await database.sql<InvitationRow[]>`
    select i.id, i.role, i.invited_by, u.name as inviter, i.created_at, i.expires_at
    from invitations i join users u on u.id = i.invited_by
    where i.team_id = ${teamId} and i.accepted_at is null and i.revoked_at is null
      and i.expires_at > ${new Date(clock.now())}
    order by i.created_at, i.id`;
  return rows.map(toInvitation);
}

/** The link is shown this once: only its hash is kept. */
export async function createInvitation(
  { database, clock, ids, publicUrl }: CloudContext,
  teamId: string,
  role: TeamRole,
  by: { userId: string; name: string; role: TeamRole },
): Promise<NewInvitation> {
  if (role === 'owner' && !mayDo(by.role, 'owner.change'))
    throw new SvcError('forbidden', 'Only an owner of the team may invite an owner.');
  const token = ids.secret();
  const now = clock.now();
  const row = {
    token_hash: sha256(token),
    id: ids.next(),
    team_id: teamId,
    role,
    invited_by: by.userId,
    created_at: new Date(now),
    expires_at: new Date(now + INVITATION_MS),
  };
  await database.sql`insert into invitations ${database.sql(row)}`;
  return {
    ...toInvitation({ ...row, inviter: by.name }),
    url: `${publicUrl}/auth/invitation/${token}`,
  };
}

export async function revokeInvitation(
  { database, clock }: CloudContext,
  teamId: string,
  id: string,
): Promise<void> {
  const revocation = await database.sql`
    update invitations set revoked_at = ${new Date(clock.now())}
    where team_id = ${teamId} and id = ${id} and accepted_at is null and revoked_at is null`;
  if (revocation.count === 0)
    throw new SvcError('not-found', 'No open invitation of this team has this id.');
}

export interface OpenInvitation {
  id: string;
  teamId: string;
  teamName: string;
  teamSlug: string;
  role: TeamRole;
  inviter: string;
}

/** The invitation of a link; null = it was used, revoked, has expired, or never existed. */
export async function findInvitation(
  { clock }: Pick<CloudContext, 'clock'>,
  sql: TransactionSql | CloudContext['database']['sql'],
  token: string,
): Promise<OpenInvitation | null> {
  const [row] = await sql<OpenInvitation[]>`
    select i.id, i.team_id as "teamId", t.name as "teamName", t.slug as "teamSlug", i.role,
      u.name as inviter
    from invitations i join teams t on t.id = i.team_id join users u on u.id = i.invited_by
    where i.token_hash = ${sha256(token)} and i.accepted_at is null and i.revoked_at is null
      and i.expires_at > ${new Date(clock.now())}
    for update of i`;
  return row ?? null;
}

/** Within a transaction: of two people with one link, one gets in. Throws SvcError `not-possible-now`. */
export async function acceptInvitation(
  ctx: CloudContext,
  sql: TransactionSql,
  token: string,
  userId: string,
): Promise<OpenInvitation> {
  const invitation = await findInvitation(ctx, sql, token);
  if (invitation === null) throw createUsedLinkError();
  const now = new Date(ctx.clock.now());
  const { teamId, role } = invitation;
  const [known] = await sql<{ role: TeamRole }[]>`
    select role from members where team_id = ${teamId} and user_id = ${userId} for update`;
  if (known === undefined)
    await sql`insert into members ${sql({ team_id: teamId, user_id: userId, role, created_at: now })}`;
  // An invitation never takes a role away.
  else if (!hasRole(known.role, role))
    await sql`update members set role = ${role} where team_id = ${teamId} and user_id = ${userId}`;
  await sql`
    update invitations set accepted_by = ${userId}, accepted_at = ${now} where id = ${invitation.id}`;
  return invitation;
}

export const createUsedLinkError = (): SvcError =>
  new SvcError(
    'not-possible-now',
    'This invitation has been used, was revoked or has expired. Ask for a new one.',
  );
