import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import type { FakeAnswer } from '../fakeForge/server.ts';
import { NOT_FOUND, ok, createRefusal } from './restJson.ts';
import { type FakeState, type FakeUser, iso } from './state.ts';

/** How long a token of an installation counts, ms. */
const TOKEN_MS = 3_600_000;
/** Longest time for which GitHub accepts the signature of an app, s. */
const MAX_SIGNED_S = 600;

export interface FakeApp {
  id: number;
  slug: string;
  key: KeyObject;
  installationId: number;
  owner: string;
  permissions: Record<string, string>;
  suspended: boolean;
}

export interface FakeToken {
  user: FakeUser;
  endsAt: number;
}

export const newPrivateKey = (): string =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey;

export const PERMISSIONS: Readonly<Record<string, string>> = {
  metadata: 'read',
  contents: 'write',
  pull_requests: 'write',
  issues: 'write',
  checks: 'read',
  statuses: 'read',
};

export const newApp = (pem: string, more: Partial<FakeApp> = {}): FakeApp => ({
  id: 4711,
  slug: 'svc-app',
  key: createPublicKey(pem),
  installationId: 99,
  owner: 'acme',
  permissions: { ...PERMISSIONS },
  suspended: false,
  ...more,
});

const part = (text: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(text, 'base64url').toString());

/** The app that has signed, or why the signature does not count. */
export function signedBy(state: FakeState, jwt: string): FakeApp | string {
  const [head = '', body = '', signature = ''] = jwt.split('.');
  let claims: Record<string, unknown>;
  try {
    if (part(head).alg !== 'RS256') return 'A JSON web token could not be decoded';
    claims = part(body);
  } catch {
    return 'A JSON web token could not be decoded';
  }
  const now = Math.floor(state.clock.now() / 1000);
  const { iat, exp, iss } = claims;
  const app = state.apps.find(({ id }) => String(id) === iss);
  if (!app) return 'Integration not found';
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${head}.${body}`),
    app.key,
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) return 'A JSON web token could not be decoded';
  if (!Number.isInteger(iat) || Number(iat) > now)
    return "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";
  if (!Number.isInteger(exp) || Number(exp) <= now)
    return "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires";
  return Number(exp) > now + MAX_SIGNED_S
    ? "'Expiration time' claim ('exp') is too far in the future"
    : app;
}

/** Answers what an app asks in its own name; null = the path is none of these. */
export function answerApp(
  state: FakeState,
  { method, path, token, body }: { method: string; path: string; token: string; body: object },
): FakeAnswer | null {
  const [, id, below = ''] =
    /^\/app(?:\/installations\/(\d+)(\/access_tokens)?)?$/.exec(path) ?? [];
  if (path !== '/app' && id === undefined) return null;
  const app = signedBy(state, token);
  if (typeof app === 'string')
    return createRefusal(app === 'Integration not found' ? 404 : 401, app);
  if (path === '/app')
    return ok({
      id: app.id,
      slug: app.slug,
      node_id: 'A_1',
      name: app.slug,
      permissions: app.permissions,
      events: [],
    });
  if (Number(id) !== app.installationId) return NOT_FOUND;
  if (below === '' && method === 'GET')
    return ok({
      id: app.installationId,
      account: { login: app.owner, id: 1, type: 'Organization' },
      app_id: app.id,
      permissions: app.permissions,
      repository_selection: 'all',
      suspended_at: app.suspended ? iso(state.clock.now()) : null,
    });
  if (below === '' || method !== 'POST') return NOT_FOUND;
  if (app.suspended) return createRefusal(403, 'This installation has been suspended');
  if (Object.keys(body).length > 0) return createRefusal(422, 'svc asks for all repositories');
  const minted = `ghs_${app.id}_${'canarycana'.repeat(8)}.${state.id()}`;
  const endsAt = Math.floor(state.clock.now() / 1000) * 1000 + TOKEN_MS;
  state.tokens.set(minted, { user: createAppUser(app), endsAt });
  return ok(
    {
      token: minted,
      expires_at: iso(endsAt),
      permissions: app.permissions,
      repository_selection: 'all',
    },
    201,
  );
}

const createAppUser = ({ slug, owner, permissions }: FakeApp): FakeUser => ({
  login: `${slug}[bot]`,
  type: 'Bot',
  scopes: permissions.contents === 'write' ? ['repo'] : [],
  seesChecks: 'checks' in permissions,
  installedFor: owner,
});
