import * as openid from 'openid-client';
import type { Clock } from '../../../base/time/clock.ts';
import { type Claims, readGroups } from './checkClaims.ts';
import type { CompanyIssuer } from './companyIssuer.ts';
import { isLocalIssuer } from './issuerFields.ts';
import { fetchFromIssuer } from './issuerFetch.ts';
import { SignOnError } from './signOnFaults.ts';
import { toSignOnError } from './toSignOnError.ts';

/** Longest wait for one answer of the issuer, s. */
export const ISSUER_TIMEOUT_SECONDS = 10;
/** How long the issuer's metadata is used before it is read again, ms. Its keys are read at each use. */
export const METADATA_MS = 10 * 60_000;

const SCOPES = ['openid', 'email', 'profile'];
/** Asks for a refresh token, where the issuer names it. */
const OFFLINE = 'offline_access';

/** What only the browser that began a login has. */
export interface LoginProof {
  state: string;
  nonce: string;
  verifier: string;
}

/** What the issuer says of a person, by a token whose signature, issuer, audience and times have been checked. */
export interface IssuerAnswer {
  subject: string;
  claims: Claims;
  /** null = it gave none: the issuer cannot be asked again. */
  refreshToken: string | null;
}

/** Asks a company's issuer. Throws {@link SignOnError}. */
export class IssuerClient {
  readonly #clock: Clock;
  readonly #metadata = new Map<string, { server: openid.ServerMetadata; at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Where the browser logs in. `again`: also where the person is logged in there, to choose another account. */
  async createLoginUrl(
    issuer: CompanyIssuer,
    redirectUri: string,
    { state, nonce, verifier }: LoginProof,
    again = false,
  ): Promise<URL> {
    const config = await this.#configure(issuer);
    const offeredScopes = config.serverMetadata().scopes_supported ?? [];
    const scopes = [
      ...SCOPES,
      ...(offeredScopes.includes(OFFLINE) ? [OFFLINE] : []),
      ...issuer.scopes,
    ];
    return openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: [...new Set(scopes)].join(' '),
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(again ? { prompt: 'login' } : {}),
    });
  }

  /** Exchanges what the browser came back with. `current`: the address with its query. */
  async finishLogin(
    issuer: CompanyIssuer,
    current: URL,
    { state, nonce, verifier }: LoginProof,
  ): Promise<IssuerAnswer> {
    const config = await this.#configure(issuer);
    try {
      const tokens = await openid.authorizationCodeGrant(config, current, {
        pkceCodeVerifier: verifier,
        expectedNonce: nonce,
        expectedState: state,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new SignOnError('misconfigured');
      return await this.#describe(config, issuer, tokens, claims.sub, claims);
    } catch (error) {
      throw toSignOnError(error, 'login');
    }
  }

  /**
   * Asks whether the person may still log in. Throws SignOnError `denied` where the issuer refuses, or names someone
   * else.
   */
  async refresh(issuer: CompanyIssuer, subject: string, token: string): Promise<IssuerAnswer> {
    const config = await this.#configure(issuer);
    try {
      const tokens = await openid.refreshTokenGrant(config, token);
      const claims = tokens.claims();
      if (claims !== undefined && claims.sub !== subject) throw new SignOnError('denied');
      const answer = await this.#describe(config, issuer, tokens, subject, claims ?? {});
      return { ...answer, refreshToken: answer.refreshToken ?? token };
    } catch (error) {
      throw toSignOnError(error, 'refresh');
    }
  }

  /** As the issuer names itself, at the address. */
  async discover(address: string): Promise<string> {
    this.#metadata.delete(address);
    return (await this.#readMetadata(address)).issuer;
  }

  /** Claims of the token, and of the user info where the token lacks what is needed. */
  async #describe(
    config: openid.Configuration,
    { roles, groupsClaim }: CompanyIssuer,
    tokens: openid.TokenEndpointResponse,
    subject: string,
    claims: Claims,
  ): Promise<IssuerAnswer> {
    const refreshToken = tokens.refresh_token ?? null;
    const isComplete =
      'email' in claims &&
      'email_verified' in claims &&
      (roles.length === 0 || readGroups(claims, groupsClaim) !== null);
    if (isComplete || config.serverMetadata().userinfo_endpoint === undefined)
      return { subject, claims, refreshToken };
    const info = await openid.fetchUserInfo(config, tokens.access_token, subject);
    // The token is signed: where both name something, it counts.
    return { subject, claims: { ...info, ...claims }, refreshToken };
  }

  /** Fresh at each use: with it the keys of the issuer are read again, which may have changed. */
  async #configure({
    issuer,
    clientId,
    clientSecret,
  }: CompanyIssuer): Promise<openid.Configuration> {
    if (clientSecret === null) throw new SignOnError('no-key');
    const server = await this.#readMetadata(issuer);
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic')
      ? openid.ClientSecretBasic(clientSecret)
      : openid.ClientSecretPost(clientSecret);
    const config = new openid.Configuration(server, clientId, {}, authenticate);
    config[openid.customFetch] = fetchFromIssuer;
    config.timeout = ISSUER_TIMEOUT_SECONDS;
    openid.enableNonRepudiationChecks(config);
    if (isLocalIssuer(issuer)) openid.allowInsecureRequests(config);
    return config;
  }

  async #readMetadata(issuer: string): Promise<openid.ServerMetadata> {
    const cached = this.#metadata.get(issuer);
    const now = this.#clock.now();
    if (cached !== undefined && now - cached.at < METADATA_MS) return cached.server;
    try {
      const config = await openid.discovery(new URL(issuer), 'svc', undefined, undefined, {
        [openid.customFetch]: fetchFromIssuer,
        timeout: ISSUER_TIMEOUT_SECONDS,
        execute: isLocalIssuer(issuer) ? [openid.allowInsecureRequests] : [],
      });
      const server = config.serverMetadata();
      this.#metadata.set(issuer, { server, at: now });
      return server;
    } catch (error) {
      throw toSignOnError(error, 'login');
    }
  }
}
