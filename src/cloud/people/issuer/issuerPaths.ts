/** Below the issuer `<public URL>/auth`. The rest of `/auth` are pages of svc. */
export const ISSUER_ROUTES = {
  authorization: '/authorize',
  token: '/token',
  revocation: '/token/revocation',
  jwks: '/jwks',
  device_authorization: '/device/code',
  // The page where people type a code; svc answers it.
  code_verification: '/device',
} as const;

export const AUTH_PREFIX = '/auth';

const EXACT: ReadonlySet<string> = new Set([
  ISSUER_ROUTES.authorization,
  ISSUER_ROUTES.token,
  ISSUER_ROUTES.revocation,
  ISSUER_ROUTES.jwks,
  ISSUER_ROUTES.device_authorization,
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
]);

/** Where an authorization continues after its page was answered. */
const RESUMED = /^\/authorize\/[A-Za-z0-9_-]{1,64}$/;

/** Whether the authorization server answers this path below `/auth`. Everything else of it is closed. */
export const isIssuerPath = (path: string): boolean => EXACT.has(path) || RESUMED.test(path);
