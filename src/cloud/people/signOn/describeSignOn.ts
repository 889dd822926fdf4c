import type { TeamRole } from '../../../contract/schema/cloud/teamRole.ts';
import type { Sql } from '../../database/database.ts';
import type { Sealer } from '../../server/sealer.ts';
import { toRedirectUri } from './signOnPath.ts';
import { readCompanyIssuer } from './companyIssuer.ts';

/** A company's issuer as an administrator sees it: never its secret. */
export interface ShownIssuer {
  issuer: string;
  clientId: string;
  domains: readonly string[];
  scopes: readonly string[];
  groupsClaim: string;
  trustsEmail: boolean;
  roles: { group: string; team: string; role: TeamRole }[];
  /** Whether the key of this machine opens its secret. */
  isSecretReadable: boolean;
  /** Accounts that are connected to it, and all. */
  connected: number;
  accounts: number;
}

export interface ShownSignOn {
  /** What to register at the issuer. */
  redirectUri: string;
  /** null = people log in with passwords. */
  issuer: ShownIssuer | null;
}

export async function describeSignOn(
  sql: Sql,
  sealer: Sealer | null,
  publicUrl: string,
): Promise<ShownSignOn> {
  const redirectUri = toRedirectUri(publicUrl);
  const companyIssuer = await readCompanyIssuer(sql, sealer);
  if (companyIssuer === null) return { redirectUri, issuer: null };
  const { clientSecret, createdAt: _, roles, ...shown } = companyIssuer;
  const slugs = new Map(
    (await sql`select id, slug from teams`).map(({ id, slug }) => [String(id), String(slug)]),
  );
  const [count] = await sql<{ connected: number; accounts: number }[]>`
    select (select count(distinct user_id) from identities where issuer = ${companyIssuer.issuer}) as connected,
      (select count(*) from users) as accounts`;
  return {
    redirectUri,
    issuer: {
      ...shown,
      roles: roles.map(({ group, teamId, role }) => ({
        group,
        team: slugs.get(teamId) ?? teamId,
        role,
      })),
      isSecretReadable: clientSecret !== null,
      connected: count?.connected ?? 0,
      accounts: count?.accounts ?? 0,
    },
  };
}
