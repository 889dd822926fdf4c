import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { findAddress } from '../../server/findAddress.ts';
import { AUTH_PREFIX, ISSUER_ROUTES } from './issuerPaths.ts';
import { OauthRecords, type RecordPlaces } from './oauthRecords.ts';
import { SIGNING_ALGORITHM, type SigningKey } from './signingKeys.ts';

/** The command line: a public client (RFC 8252), so PKCE is required of it. */
export const CLI_CLIENT_ID = 'svc-cli';
/** The one scope: what the person's roles allow. Roles are read from the database, never from a token. */
export const API_SCOPE = 'api';

/** Seconds. */
export const ACCESS_TOKEN_TTL = 10 * 60;
const CODE_TTL = 60;
const DEVICE_CODE_TTL = 10 * 60;
const INTERACTION_TTL = 30 * 60;
const REFRESH_IDLE_TTL = 30 * 24 * 60 * 60;
const REFRESH_TOTAL_TTL = 90 * 24 * 60 * 60;

/** Longest name of a machine that is shown. */
const MOST_DEVICE_NAME = 64;

export interface IssuerConfigurationParts {
  publicUrl: string;
  keys: readonly SigningKey[];
  places: RecordPlaces;
  findUser(id: string): Promise<{ email: string; name: string } | null>;
  /** Whether a login of a command line from this time (epoch s) may be renewed. */
  isStillAllowed(userId: string, loggedInAt: number): Promise<boolean>;
}

export function buildIssuerConfiguration({
  publicUrl,
  keys,
  places,
  findUser,
  isStillAllowed,
}: IssuerConfigurationParts): Configuration {
  const [current] = keys;
  if (current === undefined) throw new Error('No signing key exists.');
  const cookie = {
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
  } as const;
  return {
    adapter: (model) => new OauthRecords(model, places),
    jwks: { keys: keys.map((key) => key.private) },
    routes: ISSUER_ROUTES,
    clients: [
      {
        client_id: CLI_CLIENT_ID,
        client_name: 'svc',
        application_type: 'native',
        token_endpoint_auth_method: 'none',
        // Any port of it (RFC 8252, 7.3); nothing else.
        redirect_uris: ['http://127.0.0.1/callback'],
        response_types: ['code'],
        grant_types: [
          'authorization_code',
          'refresh_token',
          'urn:ietf:params:oauth:grant-type:device_code',
        ],
        id_token_signed_response_alg: SIGNING_ALGORITHM,
      },
    ],
    clientAuthMethods: ['none'],
    clientBasedCORS: () => false,
    responseTypes: ['code'],
    scopes: ['openid'],
    extraParams: {
      device_name(ctx, value) {
        const { params } = ctx.oidc;
        if (params !== undefined) params.device_name = value?.slice(0, MOST_DEVICE_NAME);
      },
    },
    pkce: { required: () => true },
    cookies: { long: cookie, short: cookie },
    interactions: { url: (_ctx, { uid }) => `${AUTH_PREFIX}/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      deviceFlow: {
        enabled: true,
        charset: 'base-20',
        mask: '****-****',
        deviceInfo: (ctx) => ({ address: findAddress(ctx.req) }),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => publicUrl,
        useGrantedResource: () => true,
        getResourceServerInfo(_ctx, resource) {
          if (resource !== publicUrl) throw new places.errors.InvalidTarget();
          return {
            audience: publicUrl,
            scope: API_SCOPE,
            accessTokenTTL: ACCESS_TOKEN_TTL,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: SIGNING_ALGORITHM, kid: current.kid } },
          };
        },
      },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_TTL,
      AuthorizationCode: CODE_TTL,
      DeviceCode: DEVICE_CODE_TTL,
      Grant: REFRESH_TOTAL_TTL,
      Interaction: INTERACTION_TTL,
      // Only while an authorization is answered: who is logged in is svc's own affair.
      Session: INTERACTION_TTL,
      IdToken: ACCESS_TOKEN_TTL,
      RefreshToken: (_ctx, token) =>
        Math.max(1, Math.min(REFRESH_IDLE_TTL, REFRESH_TOTAL_TTL - token.totalLifetime())),
    },
    issueRefreshToken: async () => true,
    rotateRefreshToken: () => true,
    // A login of the command line outlives that of the browser in which it was allowed.
    expiresWithSession: async () => false,
    // Each login has a grant of its own, so that ending one leaves the others.
    loadExistingGrant: async (ctx) => {
      const id = ctx.oidc.result?.consent?.grantId;
      return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id);
    },
    revokeGrantPolicy: () => true,
    // The grant is asked for with each use of the token: revoked, its tokens end at once.
    extraTokenClaims: (_ctx, token) =>
      'grantId' in token && token.grantId !== undefined ? { grant: token.grantId } : undefined,
    async findAccount(_ctx, id, token) {
      const user = await findUser(id);
      if (user === null) return undefined;
      // Before the token is used up: where the company's issuer does not answer, it is still good afterwards.
      if (token?.kind === 'RefreshToken' && !(await isStillAllowed(id, token.iiat ?? token.iat)))
        return undefined;
      return { accountId: id, claims: () => ({ sub: id }) };
    },
    renderError: renderIssuerError,
  };
}

/** The page of a request that may not be answered at its redirect address, or not at all. */
function renderIssuerError(
  ctx: KoaContextWithOIDC,
  out: { error: string; error_description?: string | undefined },
): void {
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(out);
}
