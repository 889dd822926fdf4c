import type { Context } from 'koa';
import { SvcError } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../database/database.ts';
import { CSRF_HEADER, SESSION_COOKIE } from '../routes/browserLogin.ts';
import type { Credentials, Member } from '../server/cloudCall.ts';
import { joinTeam, toCallTeam } from '../server/gates/findMembership.ts';
import { readAccessToken } from './issuer/accessTokens.ts';
import type { Issuer } from './issuer/issuer.ts';
import type { BrowserSessions } from './sessions/browserSessions.ts';
import { readCookie } from './sessions/readCookie.ts';
import { isSameToken } from './sessions/formTokens.ts';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const BEARER = /^Bearer +(\S+)$/i;

export interface CredentialsParts {
  database: Database;
  clock: Clock;
  publicUrl: string;
  issuer: Issuer;
  sessions: BrowserSessions;
}

/**
 * Who calls: by an access token, or by the cookie of a browser. Throws SvcError `forbidden` for a
 * change with the cookie alone, which another site could have made.
 */
export function createCredentials(parts: CredentialsParts): Credentials {
  const findSessionMember = async (ctx: Context, team: string): Promise<Member | null> => {
    const session = await parts.sessions.find(ctx, team);
    if (session === null) return null;
    if (!SAFE.has(ctx.method) && !isSameToken(ctx.get(CSRF_HEADER), session.csrf))
      throw new SvcError(
        'forbidden',
        `A change from a browser needs the header ${CSRF_HEADER} with the token that GET /me returns.`,
      );
    return session;
  };
  return {
    // Of a request with both, the token counts.
    readSecret: (ctx) => ctx.get('Authorization') || (readCookie(ctx.req, SESSION_COOKIE) ?? ''),
    async findPerson(ctx) {
      const header = ctx.get('Authorization');
      // A token that is wrong is not replaced by a cookie: the caller must learn of it.
      const member =
        header === '' ? findSessionMember(ctx, '') : findTokenMember(parts, header, '');
      return (await member)?.person ?? null;
    },
    async findMember(ctx, team) {
      const header = ctx.get('Authorization');
      return header === '' ? findSessionMember(ctx, team) : findTokenMember(parts, header, team);
    },
  };
}

/** In one statement: programs ask often, and each trip to the database delays them. */
async function findTokenMember(
  { database, clock, publicUrl, issuer }: CredentialsParts,
  authorization: string,
  team: string,
): Promise<Member | null> {
  const claims = await readAccessToken(BEARER.exec(authorization)?.[1] ?? '', {
    keys: issuer.keys,
    issuer: issuer.url,
    audience: publicUrl,
    clock,
  });
  if (claims === null) return null;
  const [row] = await database.sql`
    select users.id as user_id, users.email, users.name, team.id, team.slug, team.role from users
    ${joinTeam(database.sql, team)}
    where users.id = ${claims.userId} and exists (
      select 1 from oauth_records where model = 'Grant' and id = ${sha256(claims.grantId)})`;
  if (row === undefined) return null;
  const { user_id: userId, email, name, ...found } = row;
  return { person: { userId, email, name }, team: toCallTeam(found) };
}
