import { SvcError } from '../../src/base/errors/errors.ts';
import { type CloudPlace, sendToCloud } from './cloudRequest.ts';

export const CLI_CLIENT_ID = 'svc-cli';
export const SCOPE = 'api';

/** Where a login happens, as the control plane names it (RFC 8414). */
export interface CloudMetadata {
  issuer: string;
  authorization_endpoint: string;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** Seconds that the access token is good for; counted from when it came, by the clock of this machine. */
  expiresIn: number;
}

const METADATA_PATH = '/auth/.well-known/openid-configuration';
const TOKEN_PATH = '/auth/token';

/** Throws SvcError where the address is no control plane, or one that calls itself something else. */
export async function discoverCloud(place: CloudPlace): Promise<CloudMetadata> {
  const answer = await sendToCloud(place, METADATA_PATH);
  const text = await answer.text();
  const metadata = answer.ok ? parseObject(text) : null;
  if (typeof metadata?.issuer !== 'string' || typeof metadata.authorization_endpoint !== 'string')
    throw new SvcError(
      'bad-argument',
      `No control plane of svc answers at ${place.url}. Check the address.`,
    );
  const { issuer, authorization_endpoint } = metadata;
  if (issuer !== `${place.url}/auth`) {
    const own = issuer.replace(/\/auth$/, '');
    throw new SvcError(
      'bad-argument',
      `The control plane at ${place.url} calls itself ${own}. Use --cloud-url ${own}, or start it with --public-url ${place.url}.`,
    );
  }
  return { issuer, authorization_endpoint };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

/** A refusal of the token endpoint, by its code (RFC 6749, 5.2). */
export class OauthRefusal extends Error {
  readonly code: string;
  constructor(code: string, detail: string) {
    super(detail);
    this.name = 'OauthRefusal';
    this.code = code;
  }
}

/** Posts a form to an endpoint of the authorization server. Throws {@link OauthRefusal}. */
export async function postForm(
  place: CloudPlace,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const answer = await sendToCloud(place, path, {
    method: 'POST',
    body: new URLSearchParams({ client_id: CLI_CLIENT_ID, ...fields }),
  });
  const body = parseObject(await answer.text()) ?? {};
  if (answer.ok) return body;
  // The server decided nothing: the code or token that was sent stays valid.
  if (answer.status >= 500 || answer.status === 429)
    throw new SvcError(
      'unreachable',
      `The control plane at ${place.url} cannot answer at the moment (${answer.status}). Try again.`,
    );
  throw new OauthRefusal(
    String(body.error ?? `status ${answer.status}`),
    String(body.error_description ?? body.detail ?? ''),
  );
}

/** Exchanges a code or a refresh token. Throws {@link OauthRefusal}. */
export async function requestTokens(
  place: CloudPlace,
  fields: Readonly<Record<string, string>>,
): Promise<Tokens> {
  const body = await postForm(place, TOKEN_PATH, fields);
  const { access_token, refresh_token, expires_in } = body;
  if (
    typeof access_token !== 'string' ||
    typeof refresh_token !== 'string' ||
    typeof expires_in !== 'number'
  )
    throw new SvcError('unreachable', `The control plane at ${place.url} sent no tokens.`);
  return { accessToken: access_token, refreshToken: refresh_token, expiresIn: expires_in };
}

/** Ends the login of a refresh token, with all its access tokens. Throws {@link OauthRefusal}. */
export const revokeToken = (place: CloudPlace, token: string) =>
  postForm(place, '/auth/token/revocation', { token });

/** A refusal in words for a person. */
export function toLoginError(thrown: unknown): unknown {
  if (!(thrown instanceof OauthRefusal)) return thrown;
  switch (thrown.code) {
    case 'access_denied':
      return new SvcError('unauthorized', 'The login was denied in the browser.');
    case 'expired_token':
      return new SvcError('unauthorized', 'The code has expired. Run svc login again.');
    default:
      return new SvcError(
        'unauthorized',
        `The control plane refused the login (${thrown.code}). Run svc login again.`,
        { cause: thrown },
      );
  }
}
