import { SvcError } from '../../../base/errors/errors.ts';
import { toIsoTime } from '../../../base/time/toIsoTime.ts';
import type { TeamRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { TransactionSql } from '../../database/database.ts';
import { addAudit } from '../../server/audit/appendAudit.ts';
import { auditForTeams } from '../../server/audit/auditTrail.ts';
import type { StoreContext } from '../../server/cloudContext.ts';
import type { Sealer } from '../../server/sealer.ts';
import { toStoredEmail } from '../accounts/accountFields.ts';
import { endLogins } from '../accounts/endLogins.ts';
import { findUserByEmail } from '../accounts/users.ts';
import { readCompanyIssuer, toSecretPlace } from './companyIssuer.ts';
import { checkDomains, checkIssuerAddress } from './issuerFields.ts';
import type { IssuerClient } from './issuerClient.ts';
import { SignOnError } from './signOnFaults.ts';
import { describeIssuerFault } from './toSignOnError.ts';

export interface TeamGroupRole {
  group: string;
  /** Slug or ID. */
  team: string;
  role: TeamRole;
}

/** What an administrator enters. */
export interface NewCompanyIssuer {
  address: string;
  clientId: string;
  /** null = the one that is stored stays. */
  clientSecret: string | null;
  domains: readonly string[];
  scopes: readonly string[];
  groupsClaim: string;
  trustsEmail: boolean;
  roles: readonly TeamGroupRole[];
}

const createNoSecretError = (): SvcError =>
  new SvcError(
    'bad-argument',
    'The secret of the client is missing. Pass it on standard input: svc cloud issuer set … --secret - < secret.txt',
  );

/**
 * From now on people log in at this issuer, and no longer with passwords. Its metadata is read first: an address that
 * does not answer would lock everyone out. Throws SvcError `bad-argument`, `not-found`, `unreachable`, or
 * `not-possible-now` where no team has an owner yet.
 */
export async function setCompanyIssuer(
  ctx: StoreContext,
  sealer: Sealer,
  client: Pick<IssuerClient, 'discover'>,
  newCompanyIssuer: NewCompanyIssuer,
): Promise<void> {
  const { database, clock } = ctx;
  const address = checkIssuerAddress(newCompanyIssuer.address);
  const domains = checkDomains(newCompanyIssuer.domains);
  const [owner] = await database.sql`select 1 from members where role = 'owner' limit 1`;
  if (owner === undefined)
    throw new SvcError(
      'not-possible-now',
      'No one has an account yet. The first owner sets up the team before people log in at an issuer: svc cloud owner-link',
    );
  const issuer = await discoverIssuer(client, address);
  const knownIssuer = await readCompanyIssuer(database.sql, sealer);
  const isSame =
    knownIssuer?.issuer === issuer && knownIssuer.clientId === newCompanyIssuer.clientId;
  const secret = newCompanyIssuer.clientSecret ?? (isSame ? knownIssuer.clientSecret : null);
  if (secret === null) throw createNoSecretError();
  const now = clock.now();
  const { clientId, scopes, groupsClaim, trustsEmail, roles } = newCompanyIssuer;
  await database.transaction(async (sql) => {
    const teams = await findTeams(sql, roles);
    await sql`delete from company_issuer`;
    await sql`delete from group_roles`;
    const row = {
      singleton: true,
      issuer,
      client_id: clientId,
      client_secret: sealer.seal(secret, toSecretPlace(issuer)),
      domains: sql.json([...domains]),
      scopes: sql.json([...scopes]),
      groups_claim: groupsClaim,
      trusts_email: trustsEmail,
      created_at: isSame ? knownIssuer.createdAt : new Date(now),
    };
    await sql`insert into company_issuer ${sql(row)}`;
    for (const { group, team, role } of roles)
      await sql`
        insert into group_roles (group_name, team_id, role) values (${group}, ${teams.get(team) ?? ''}, ${role})`;
    await auditAllTeams(sql, now, 'setIssuer', { issuer });
  });
}

async function discoverIssuer(
  client: Pick<IssuerClient, 'discover'>,
  address: string,
): Promise<string> {
  try {
    return await client.discover(address);
  } catch (error) {
    if (!(error instanceof SignOnError)) throw error;
    const reason = describeIssuerFault(error.cause) ?? error.message;
    throw new SvcError(
      'unreachable',
      `No issuer of OpenID Connect answers at ${address}: ${reason}. Nothing was changed. Check the address: svc reads ${address.replace(/\/$/, '')}/.well-known/openid-configuration from this machine.`,
      { cause: error },
    );
  }
}

/** IDs of the teams, by what they were called. Throws SvcError `not-found`, and `bad-argument` for a group named twice. */
async function findTeams(
  sql: TransactionSql,
  roles: readonly TeamGroupRole[],
): Promise<Map<string, string>> {
  const teams = new Map<string, string>();
  const pairs = new Set<string>();
  for (const { group, team } of roles) {
    const [row] = await sql`
      select id from teams where id = ${team} or slug = ${team} order by (id = ${team}) desc limit 1`;
    if (row === undefined) throw new SvcError('not-found', `No team has the address ${team}.`);
    teams.set(team, row.id);
    const pair = JSON.stringify([group, row.id]);
    if (pairs.has(pair))
      throw new SvcError('bad-argument', `The group ${group} has two roles in the team ${team}.`);
    pairs.add(pair);
  }
  return teams;
}

async function auditAllTeams(
  sql: TransactionSql,
  now: number,
  action: string,
  target: Readonly<Record<string, string>>,
): Promise<void> {
  for (const { id } of await sql`select id from teams order by id`)
    await addAudit(sql, String(id), {
      at: toIsoTime(now),
      userId: null,
      person: null,
      address: null,
      action,
      target,
      failed: null,
      refersTo: null,
    });
}

/** Passwords count again. Throws SvcError `not-found` without an issuer. */
export async function removeCompanyIssuer({ database, clock }: StoreContext): Promise<void> {
  await database.transaction(async (sql) => {
    const [row] = await sql`delete from company_issuer returning issuer`;
    if (row === undefined) throw createNoIssuerError();
    await sql`delete from group_roles`;
    await sql`update identities set refresh_token = null where issuer = ${row.issuer}`;
    await auditAllTeams(sql, clock.now(), 'removeIssuer', { issuer: row.issuer });
  });
}

export const createNoIssuerError = (): SvcError =>
  new SvcError(
    'not-found',
    'People log in at this control plane with passwords: no issuer is set. See svc cloud issuer set --help.',
  );

/**
 * Disconnects an account from its identities, and ends its logins: another identity may be connected to it. Throws
 * SvcError `not-found`.
 */
export async function unlinkAccount(ctx: StoreContext, email: string): Promise<void> {
  const { database } = ctx;
  const user = await findUserByEmail(database.sql, toStoredEmail(email));
  const removedCount = await database.transaction(async (sql) => {
    const { count } = await sql`delete from identities where user_id = ${user?.id ?? ''}`;
    if (count > 0 && user !== null) await endLogins(sql, user.id);
    return count;
  });
  if (user === null || removedCount === 0)
    throw new SvcError(
      'not-found',
      `No account with the address ${email} is connected to an issuer.`,
    );
  await auditForTeams(ctx, user, { action: 'disconnectIdentity', address: null, failed: null });
}
