import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { SvcError } from '../../src/base/errors/errors.ts';
import type { CloudPlace } from './cloudRequest.ts';
import {
  CLI_CLIENT_ID,
  type CloudMetadata,
  requestTokens,
  SCOPE,
  type Tokens,
} from './oauthTokens.ts';

/** One authorization with a code (RFC 8252): its address, and what only this process knows. */
export interface AuthorizationRequest {
  url: string;
  redirectUri: string;
  state: string;
  verifier: string;
}

/** How the pages call this machine. */
export const readMachineName = (): string => hostname().split('.', 1)[0] ?? '';

export function createAuthorizationRequest(
  { authorization_endpoint }: CloudMetadata,
  redirectUri: string,
): AuthorizationRequest {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const url = new URL(authorization_endpoint);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: CLI_CLIENT_ID,
    redirect_uri: redirectUri,
    scope: SCOPE,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    device_name: readMachineName(),
  }).toString();
  return { url: url.href, redirectUri, state, verifier };
}

/**
 * Exchanges the reply at the redirect address. Throws SvcError `unauthorized` for an answer to
 * another request (its state), or of another server (its issuer, RFC 9207).
 */
export async function finishAuthorization(
  place: CloudPlace,
  { redirectUri, state, verifier }: AuthorizationRequest,
  issuer: string,
  answer: URLSearchParams,
): Promise<Tokens> {
  if (answer.get('state') !== state || answer.get('iss') !== issuer)
    throw new SvcError(
      'unauthorized',
      'The browser came back with the answer to another login. Run svc login again.',
    );
  const error = answer.get('error');
  if (error === 'access_denied')
    throw new SvcError('unauthorized', 'The login was denied in the browser.');
  const code = answer.get('code');
  if (code === null)
    throw new SvcError(
      'unauthorized',
      `The login failed (${error ?? 'no code'}). Run svc login again.`,
    );
  return requestTokens(place, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
}
