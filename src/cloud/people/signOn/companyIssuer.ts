import type { TeamRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { Sql, TransactionSql } from '../../database/database.ts';
import type { Sealer } from '../../server/sealer.ts';

/** Members of a group at the issuer have this role in a team. */
export interface GroupRole {
  group: string;
  teamId: string;
  role: TeamRole;
}

/** Where a company logs its people in (OpenID Connect), for the whole control plane. */
export interface CompanyIssuer {
  /** As its metadata names it. */
  issuer: string;
  clientId: string;
  /** null = it was sealed with a key that this node does not have. */
  clientSecret: string | null;
  /** Of the addresses that may log in, in lower case; at least one. */
  domains: readonly string[];
  /** Asked for beside those that svc needs. */
  scopes: readonly string[];
  /** Claim with the names of a person's groups. */
  groupsClaim: string;
  /** Whether an address counts as verified without the claim `email_verified`. */
  trustsEmail: boolean;
  /** Empty = roles are given by people alone. */
  roles: readonly GroupRole[];
  createdAt: Date;
}

/** What its client secret is sealed for. */
export const toSecretPlace = (issuer: string): string => `company issuer ${issuer}`;

/** How people know it. */
export const toIssuerHost = (issuer: string): string => new URL(issuer).host;

/** Whether people log in at a company's issuer, so that passwords are off. */
export async function hasCompanyIssuer(sql: Sql | TransactionSql): Promise<boolean> {
  const [row] = await sql`select 1 from company_issuer`;
  return row !== undefined;
}

/** null = people log in here, with passwords. `sealer`: null = the node has no key. */
export async function readCompanyIssuer(
  sql: Sql | TransactionSql,
  sealer: Sealer | null,
): Promise<CompanyIssuer | null> {
  const [row] = await sql`
    select issuer, client_id, client_secret, domains, scopes, groups_claim, trusts_email, created_at,
      (select coalesce(jsonb_agg(jsonb_build_object('group', group_name, 'teamId', team_id, 'role', role)
        order by group_name, team_id), '[]') from group_roles) as roles
    from company_issuer`;
  if (row === undefined) return null;
  return {
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: sealer?.open(row.client_secret, toSecretPlace(row.issuer)) ?? null,
    domains: row.domains,
    scopes: row.scopes,
    groupsClaim: row.groups_claim,
    trustsEmail: row.trusts_email,
    roles: row.roles,
    createdAt: row.created_at,
  };
}
