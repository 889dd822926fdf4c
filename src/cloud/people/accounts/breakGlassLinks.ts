import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { Sql, TransactionSql } from '../../database/database.ts';
import { auditForTeams } from '../../server/audit/auditTrail.ts';
import type { CloudContext, StoreContext } from '../../server/cloudContext.ts';
import { hasCompanyIssuer } from '../signOn/companyIssuer.ts';
import { toStoredEmail } from './accountFields.ts';
import type { User } from './users.ts';

/** How long the link works with which an owner logs in without the company's issuer, ms. */
export const BREAK_GLASS_LINK_MS = 15 * 60_000;

type LinkContext = Pick<CloudContext, 'database' | 'clock' | 'ids' | 'publicUrl'>;

export interface BreakGlassLink {
  url: string;
  email: string;
  expiresAt: string;
}

const listOwners = (sql: Sql | TransactionSql): Promise<User[]> =>
  sql<User[]>`
    select id, email, name from users
    where id in (select user_id from members where role = 'owner') order by email`;

async function chooseOwner(sql: Sql, email: string | null): Promise<User> {
  const owners = await listOwners(sql);
  const wantedEmail = email === null ? null : toStoredEmail(email);
  const matchingOwners =
    wantedEmail === null ? owners : owners.filter((owner) => owner.email === wantedEmail);
  const [owner] = matchingOwners;
  const list = owners.map((one) => one.email).join(', ');
  if (owner === undefined)
    throw new SvcError(
      'not-found',
      email === null
        ? 'No team has an owner.'
        : `${email} is not an owner of a team. Owners: ${list}.`,
    );
  if (matchingOwners.length > 1)
    throw new SvcError('bad-argument', `Name one owner with --email: ${list}.`);
  return owner;
}

/**
 * A link with which an owner of a team logs in once, while people log in at a company's issuer. Only who has the
 * database makes one; the audit log of the owner's teams names it. An earlier link of the owner ends. Throws SvcError
 * `not-possible-now` without an issuer, `not-found`, and `bad-argument` where several owners exist and none is named.
 */
export async function createBreakGlassLink(
  ctx: LinkContext,
  email: string | null,
): Promise<BreakGlassLink> {
  const { database, clock, ids, publicUrl } = ctx;
  if (!(await hasCompanyIssuer(database.sql)))
    throw new SvcError(
      'not-possible-now',
      'This control plane has accounts already. Ask an admin of a team for an invitation; for a forgotten password: svc cloud reset-password <email>.',
    );
  const owner = await chooseOwner(database.sql, email);
  const token = ids.secret();
  const now = clock.now();
  const expiresAt = new Date(now + BREAK_GLASS_LINK_MS);
  await database.transaction(async (sql) => {
    await sql`delete from owner_links where user_id = ${owner.id}`;
    await sql`
      insert into owner_links (token_hash, user_id, created_at, expires_at)
      values (${sha256(token)}, ${owner.id}, ${new Date(now)}, ${expiresAt})`;
  });
  await auditForTeams(ctx, owner, { action: 'createOwnerLink', address: null, failed: null });
  return {
    url: `${publicUrl}/auth/owner/${token}`,
    email: owner.email,
    expiresAt: expiresAt.toISOString(),
  };
}

/** The owner whom the link logs in; null = the link is unknown, used or expired. */
export async function findBreakGlassOwner(
  { clock }: Pick<CloudContext, 'clock'>,
  sql: Sql | TransactionSql,
  token: string,
): Promise<User | null> {
  const [row] = await sql<User[]>`
    select u.id, u.email, u.name from owner_links l join users u on u.id = l.user_id
    where l.token_hash = ${sha256(token)} and l.used_at is null and l.expires_at > ${new Date(clock.now())}
      and exists (select 1 from members m where m.user_id = u.id and m.role = 'owner')
    for update of l`;
  return row ?? null;
}

/** Uses the link up. Throws SvcError `not-possible-now` for one that works no longer. */
export const acceptBreakGlassLink = (ctx: StoreContext, token: string): Promise<User> =>
  ctx.database.transaction(async (sql) => {
    const owner = await findBreakGlassOwner(ctx, sql, token);
    if (owner === null)
      throw new SvcError(
        'not-possible-now',
        'This link has been used or has expired. Ask who runs the control plane for another one: svc cloud owner-link.',
      );
    await sql`
      update owner_links set used_at = ${new Date(ctx.clock.now())} where token_hash = ${sha256(token)}`;
    return owner;
  });
