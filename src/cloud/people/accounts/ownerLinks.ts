import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { Team } from '../../../contract/schema/cloud/team.ts';
import type { Sql, TransactionSql } from '../../database/database.ts';
import type { CloudContext } from '../../server/cloudContext.ts';
import { addTeam } from '../teams/teams.ts';
import type { AccountFields } from './accountFields.ts';
import { addUser, prepareUser } from './users.ts';

/** How long the link for the first owner works, ms; `svc cloud start` prints another one. */
export const OWNER_LINK_MS = 24 * 60 * 60_000;

/**
 * The link for the first owner; null once someone has an account. Printed where the control plane
 * was started, so anyone who has it can become the owner.
 */
export async function createOwnerLink(
  ctx: Pick<CloudContext, 'database' | 'clock' | 'ids' | 'publicUrl'>,
): Promise<string | null> {
  const { database, clock, ids, publicUrl } = ctx;
  const [known] = await database.sql`select 1 from users limit 1`;
  if (known !== undefined) return null;
  const token = ids.secret();
  const now = clock.now();
  await database.sql`
    insert into owner_links (token_hash, created_at, expires_at)
    values (${sha256(token)}, ${new Date(now)}, ${new Date(now + OWNER_LINK_MS)})`;
  return `${publicUrl}/auth/owner/${token}`;
}

/** Whether the link still works. */
export async function isOwnerLinkOpen(
  { clock }: Pick<CloudContext, 'clock'>,
  sql: Sql | TransactionSql,
  token: string,
): Promise<boolean> {
  const [row] = await sql`
    select 1 from owner_links
    where token_hash = ${sha256(token)} and user_id is null and used_at is null
      and expires_at > ${new Date(clock.now())} and not exists (select 1 from users)`;
  return row !== undefined;
}

export const createUsedOwnerLinkError = (): SvcError =>
  new SvcError(
    'not-possible-now',
    'This link has been used or has expired. If no one has an account yet, restart svc cloud start for a new one.',
  );

/** The first account and its team, once: of two that come together the second is refused. */
export async function acceptOwnerLink(
  ctx: CloudContext,
  token: string,
  fields: AccountFields,
  { teamName, address }: { teamName: string; address: string },
): Promise<{ userId: string; team: Team }> {
  const user = await prepareUser(fields, ctx.ids);
  const teamId = ctx.ids.next();
  return ctx.database.transaction(async (sql) => {
    await sql`lock table owner_links in exclusive mode`;
    if (!(await isOwnerLinkOpen(ctx, sql, token))) throw createUsedOwnerLinkError();
    const now = new Date(ctx.clock.now());
    await addUser(sql, user, now);
    const owner = { userId: user.id, name: user.name, address };
    const team = await addTeam(sql, { id: teamId, name: teamName }, owner, now);
    await sql`update owner_links set used_at = ${now}`;
    return { userId: user.id, team };
  });
}
