import { SvcError } from '../../base/errors/errors.ts';
import { sha256 } from '../../base/system/ids/ids.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Database } from '../database/database.ts';
import { CSRF_HEADER } from '../routes/browserLogin.ts';
import type { Credentials, Person } from '../server/cloudCall.ts';
import { readAccessToken } from './issuer/accessTokens.ts';
import type { Issuer } from './issuer/issuer.ts';
import type { BrowserSessions } from './sessions/browserSessions.ts';
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
  return {
    async findPerson(ctx) {
      const header = ctx.get('Authorization');
      // A token that is wrong is not replaced by a cookie: the caller must learn of it.
      if (header !== '') return findTokenPerson(parts, BEARER.exec(header)?.[1] ?? '');
      const session = await parts.sessions.find(ctx);
      if (session === null) return null;
      if (!SAFE.has(ctx.method) && !isSameToken(ctx.get(CSRF_HEADER), session.csrf))
        throw new SvcError(
          'forbidden',
          `A change from a browser needs the header ${CSRF_HEADER} with the token that GET /me returns.`,
        );
      return session.person;
    },
  };
}

async function findTokenPerson(
  { database, clock, publicUrl, issuer }: CredentialsParts,
  token: string,
): Promise<Person | null> {
  const claims = await readAccessToken(token, {
    keys: issuer.keys,
    issuer: issuer.url,
    audience: publicUrl,
    clock,
  });
  if (claims === null) return null;
  const [row] = await database.sql<Person[]>`
    select id as "userId", email, name from users
    where id = ${claims.userId} and exists (
      select 1 from oauth_records where model = 'Grant' and id = ${sha256(claims.grantId)})`;
  return row ?? null;
}
