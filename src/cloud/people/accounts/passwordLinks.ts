import { SvcError } from '../../../base/errors/errors.ts';
import { sha256 } from '../../../base/system/ids/ids.ts';
import type { Sql, TransactionSql } from '../../database/database.ts';
import type { CloudContext, StoreContext } from '../../server/cloudContext.ts';
import { hashPassword } from '../passwords.ts';
import { hasCompanyIssuer } from '../signOn/companyIssuer.ts';
import { toStoredEmail } from './accountFields.ts';
import { endLogins } from './endLogins.ts';
import { findUserByEmail, type User } from './users.ts';

/** How long the link for a new password works, ms. */
export const PASSWORD_LINK_MS = 60 * 60_000;

type LinkContext = Pick<CloudContext, 'database' | 'clock' | 'ids' | 'publicUrl'>;

export interface PasswordLink {
  url: string;
  email: string;
  expiresAt: string;
}

/**
 * A link with which a person chooses a new password, once. Anyone who has it can take the account over, so only who
 * has the database makes one. An earlier link of the person ends. Throws SvcError `not-found`, and
 * `not-possible-now` where people log in at a company's issuer.
 */
export async function createPasswordLink(ctx: LinkContext, email: string): Promise<PasswordLink> {
  const { database, clock, ids, publicUrl } = ctx;
  if (await hasCompanyIssuer(database.sql))
    throw new SvcError(
      'not-possible-now',
      "Passwords are off: people log in at the company's issuer. For an owner who cannot: svc cloud owner-link",
    );
  const user = await findUserByEmail(database.sql, toStoredEmail(email));
  if (user === null)
    throw new SvcError(
      'not-found',
      `No account has the email address ${email}. The page Members of a team lists the addresses; one without an account needs an invitation.`,
    );
  const token = ids.secret();
  const now = clock.now();
  const expiresAt = new Date(now + PASSWORD_LINK_MS);
  await database.transaction(async (sql) => {
    await sql`delete from password_links where user_id = ${user.id} or expires_at < ${new Date(now)}`;
    await sql`
      insert into password_links (token_hash, user_id, created_at, expires_at)
      values (${sha256(token)}, ${user.id}, ${new Date(now)}, ${expiresAt})`;
  });
  return {
    url: `${publicUrl}/auth/password/${token}`,
    email: user.email,
    expiresAt: expiresAt.toISOString(),
  };
}

/** Whose new password the link is for. Throws SvcError `not-possible-now` for one that works no longer. */
export async function requirePasswordLink(
  { clock }: Pick<CloudContext, 'clock'>,
  sql: Sql | TransactionSql,
  token: string,
): Promise<User> {
  const [row] = await sql<User[]>`
    select u.id, u.email, u.name from password_links l join users u on u.id = l.user_id
    where l.token_hash = ${sha256(token)} and l.used_at is null and l.expires_at > ${new Date(clock.now())}
    for update of l`;
  if (row !== undefined) return row;
  throw new SvcError(
    'not-possible-now',
    'This link has been used or has expired, or a newer one was made. Ask who runs the control plane for another one: svc cloud reset-password.',
  );
}

/**
 * Gives the person of the link a new password, and ends all of their logins: those of browsers, of command lines,
 * and what is on its way to one. Their machines stay paired.
 */
export async function acceptPasswordLink(
  ctx: StoreContext,
  token: string,
  password: string,
): Promise<User> {
  const hash = await hashPassword(password);
  return ctx.database.transaction(async (sql) => {
    const user = await requirePasswordLink(ctx, sql, token);
    const now = new Date(ctx.clock.now());
    await sql`update password_links set used_at = ${now} where user_id = ${user.id} and used_at is null`;
    await sql`update users set password = ${hash} where id = ${user.id}`;
    await endLogins(sql, user.id);
    return user;
  });
}
