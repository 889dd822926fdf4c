import type { Ids } from '../../../base/system/ids/ids.ts';
import { ADVISORY_LOCKS } from '../../database/advisoryLocks.ts';
import type { Sql, TransactionSql } from '../../database/database.ts';
import type { Sealer } from '../../server/sealer.ts';
import { findUserByEmail, type User } from '../accounts/users.ts';
import { applyGroupRoles, chooseRoles } from './applyGroupRoles.ts';
import type { IssuerPerson } from './checkClaims.ts';
import type { CompanyIssuer } from './companyIssuer.ts';
import { SignOnError } from './signOnFaults.ts';

/** What a refresh token is sealed for. */
export const toTokenPlace = (issuer: string, subject: string): string =>
  `identity ${issuer} ${subject}`;

/** `known`: the account of the identity. `connect`: an account with the address, which no identity there has. */
export type Admission = { kind: 'known' | 'connect'; user: User };

/** The account of an identity; null = none is connected to it. */
export async function findUserByIdentity(
  sql: Sql | TransactionSql,
  issuer: string,
  subject: string,
): Promise<User | null> {
  const [row] = await sql<User[]>`
    select u.id, u.email, u.name from identities i join users u on u.id = i.user_id
    where i.issuer = ${issuer} and i.subject = ${subject}`;
  return row ?? null;
}

/** Whether an account is connected to an identity at the issuer. */
export async function isConnected(
  sql: Sql | TransactionSql,
  issuer: string,
  userId: string,
): Promise<boolean> {
  const [row] = await sql`
    select 1 from identities where issuer = ${issuer} and user_id = ${userId}`;
  return row !== undefined;
}

/**
 * The account for a person of the issuer, within a transaction; a new one where neither the identity nor the address
 * is known. An identity is issuer and subject: never the address. Throws SignOnError `other-subject`.
 */
export async function admitPerson(
  sql: TransactionSql,
  { issuer }: Pick<CompanyIssuer, 'issuer'>,
  person: IssuerPerson,
  { ids, now }: { ids: Ids; now: number },
): Promise<Admission> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.signOn})`;
  const knownUser = await findUserByIdentity(sql, issuer, person.subject);
  if (knownUser !== null) {
    await followEmail(sql, knownUser.id, person.email);
    return { kind: 'known', user: knownUser };
  }
  const other = await findUserByEmail(sql, person.email);
  if (other !== null) {
    if (await isConnected(sql, issuer, other.id)) throw new SignOnError('other-subject');
    return { kind: 'connect', user: other };
  }
  const user = { id: ids.next(), email: person.email, name: person.name };
  await sql`insert into users ${sql({ ...user, created_at: new Date(now) })}`;
  await connectIdentity(sql, issuer, person.subject, user.id);
  return { kind: 'known', user };
}

export async function connectIdentity(
  sql: TransactionSql,
  issuer: string,
  subject: string,
  userId: string,
): Promise<void> {
  await sql`
    insert into identities (issuer, subject, user_id) values (${issuer}, ${subject}, ${userId})`;
}

/** An address that has changed at the issuer; where another account has it, that one keeps it. */
async function followEmail(sql: TransactionSql, userId: string, email: string): Promise<void> {
  await sql`
    update users set email = ${email}
    where id = ${userId} and email <> ${email} and not exists (select 1 from users where email = ${email})`;
}

export interface Confirmation {
  subject: string;
  groups: readonly string[];
  /** null = svc cannot ask again. */
  refreshToken: string | null;
  /** Whether the person has logged in there, or svc has asked. */
  isLogin: boolean;
}

/** Notes that the issuer has just confirmed a person, and gives them the roles of their groups. */
export async function noteConfirmation(
  sql: TransactionSql,
  { issuer, roles }: CompanyIssuer,
  user: { id: string; name: string },
  { subject, groups, refreshToken, isLogin }: Confirmation,
  { sealer, now, address }: { sealer: Sealer; now: number; address: string | null },
): Promise<void> {
  const at = new Date(now);
  const sealedToken =
    refreshToken === null ? null : sealer.seal(refreshToken, toTokenPlace(issuer, subject));
  await sql`
    update identities set confirmed_at = ${at}, refresh_token = ${sealedToken},
      authenticated_at = case when ${isLogin}::boolean then ${at}::timestamptz else authenticated_at end
    where issuer = ${issuer} and subject = ${subject}`;
  await applyGroupRoles(sql, user, chooseRoles(roles, groups), { now, address });
}
