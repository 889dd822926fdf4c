import { sign } from 'node:crypto';
import type { GithubApp } from './appSettings.ts';

/** How far back it is dated, s, in case GitHub's clock is behind ours. */
const BACKDATED_S = 60;
/** How long it counts, s: GitHub accepts ten minutes at most, by its own clock. */
const VALID_S = 9 * 60;

const encodeJwtPart = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** The proof that svc is the app: a JSON Web Token signed with its key. `now`: epoch ms. */
export function signAppJwt({ id, key }: Pick<GithubApp, 'id' | 'key'>, now: number): string {
  const seconds = Math.floor(now / 1000);
  const text = `${encodeJwtPart({ alg: 'RS256', typ: 'JWT' })}.${encodeJwtPart({
    iat: seconds - BACKDATED_S,
    exp: seconds + VALID_S,
    iss: String(id),
  })}`;
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`;
}
