import { decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { Clock } from '../../../base/time/clock.ts';
import { SIGNING_ALGORITHM, type SigningKeys } from './signingKeys.ts';

/** How far the clocks of two nodes may differ, s. */
const SKEW_SECONDS = 30;
/** Longest token that is read, characters. */
const MOST_CHARACTERS = 4096;

export interface AccessClaims {
  userId: string;
  grantId: string;
}

/**
 * What an access token says, if this control plane has signed it and it has not expired; else null.
 * Only the algorithm and the type that it issues are read: a token cannot choose them.
 */
export async function readAccessToken(
  token: string,
  {
    keys,
    issuer,
    audience,
    clock,
  }: { keys: SigningKeys; issuer: string; audience: string; clock: Clock },
): Promise<AccessClaims | null> {
  if (token.length > MOST_CHARACTERS) return null;
  const kid = readKeyId(token);
  const key = kid === null ? null : await keys.findPublic(kid);
  if (key === null) return null;
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [SIGNING_ALGORITHM],
      typ: 'at+jwt',
      issuer,
      audience,
      requiredClaims: ['exp', 'sub'],
      clockTolerance: SKEW_SECONDS,
      currentDate: new Date(clock.now()),
    });
    if (typeof payload.sub !== 'string' || typeof payload.grant !== 'string') return null;
    return { userId: payload.sub, grantId: payload.grant };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

function readKeyId(token: string): string | null {
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === 'string' ? kid : null;
  } catch {
    return null;
  }
}
