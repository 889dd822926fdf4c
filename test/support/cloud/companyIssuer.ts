import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import type Provider from 'oidc-provider';
import { randomIds } from '../../../src/base/system/ids/ids.ts';
import { loadProvider } from '../../../src/cloud/people/issuer/loadProvider.ts';
import { HtmlVisitor, type VisitedPage } from './htmlVisitor.ts';

export const CLIENT_ID = 'svc-control-plane';
export const CLIENT_SECRET = 'a client secret of the company';

/** Of a person, as OpenID Connect names them. */
export interface CompanyPerson {
  email?: string;
  email_verified?: boolean;
  name?: string;
  groups?: unknown;
}

interface SigningKey {
  jwk: JWK;
  privateKey: CryptoKey;
}

async function createKey(kid: string): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { jwk: { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }, privateKey };
}

/** Its own key and the claims that are right, unless others are given. `key`: of HS256 where it is bytes; null = unsigned. */
export interface ForgedToken {
  claims: Record<string, unknown>;
  key?: Uint8Array | null;
}

/**
 * A company's issuer: a second, real oidc-provider on a port of this machine. Its login page asks for the subject of a
 * person alone. `people` may change at any time: who is removed can no longer log in or refresh.
 */
export class CompanyIssuer {
  readonly people: Record<string, CompanyPerson> = {};
  readonly url: string;
  /** Requests to it, as method and path. */
  readonly requests: string[] = [];
  /** When set, it answers everything with this, in the place of its own answer. */
  broken: ((req: IncomingMessage, res: ServerResponse) => void) | null = null;
  readonly #redirectUri: string;
  readonly #server: ReturnType<typeof createServer>;
  #provider: Provider | null = null;
  #key: SigningKey | null = null;

  private constructor(server: ReturnType<typeof createServer>, redirectUri: string) {
    this.#server = server;
    this.#redirectUri = redirectUri;
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    this.url = `http://127.0.0.1:${port}`;
    server.on('request', (req, res) => void this.#answer(req, res));
  }

  static async open(redirectUri: string): Promise<CompanyIssuer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new CompanyIssuer(server, redirectUri);
    await issuer.rotateKeys();
    return issuer;
  }

  /** The keys that it names, as anyone reads them. */
  async readKeys(): Promise<JWK[]> {
    const answer = await fetch(`${this.url}/jwks`);
    return ((await answer.json()) as { keys: JWK[] }).keys;
  }

  /** Its token endpoint answers with this ID token, whatever the code. */
  async forgeToken({ claims, key }: ForgedToken): Promise<void> {
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: this.url, aud: CLIENT_ID, iat: now, exp: now + 600, ...claims };
    const own = this.#key;
    if (own === null) throw new Error('no key');
    const { kid = '' } = own.jwk;
    const idToken =
      key === null
        ? new UnsecuredJWT(all).encode()
        : key === undefined
          ? await new SignJWT(all).setProtectedHeader({ alg: 'RS256', kid }).sign(own.privateKey)
          : await new SignJWT(all).setProtectedHeader({ alg: 'HS256' }).sign(key);
    const reply = { access_token: 'x', token_type: 'Bearer', expires_in: 600, id_token: idToken };
    this.fake('/token', reply);
  }

  /** Answers this path with something else; everything else as it is. */
  fake(path: string, reply: object): void {
    this.broken = (req, res) => {
      if (req.url !== path) return void this.#provider?.callback()(req, res);
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply));
    };
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** From now on it signs with another key, and names only that. Logins and tokens there end. */
  async rotateKeys(): Promise<void> {
    const { Provider } = await loadProvider();
    const key = await createKey(randomIds.next());
    const provider = new Provider(this.url, {
      jwks: { keys: [key.jwk] },
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [this.#redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
        },
      ],
      cookies: { keys: ['a key for cookies'] },
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name', 'groups'],
      },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/login/${uid}` },
      issueRefreshToken: async () => true,
      rotateRefreshToken: () => true,
      ttl: {
        Session: 3600,
        Grant: 3600,
        Interaction: 3600,
        IdToken: 3600,
        AccessToken: 3600,
        RefreshToken: 3600,
      },
      findAccount: (_ctx, subject) => {
        const person = this.people[subject];
        return person && { accountId: subject, claims: () => ({ sub: subject, ...person }) };
      },
    });
    this.#provider = provider;
    this.#key = key;
  }

  /**
   * Logs in there with a browser of its own, as a person does who was sent to this address. Gives where the browser is
   * sent back to.
   */
  async logIn(address: string, subject: string): Promise<URL> {
    const visitor = new HtmlVisitor(this.url);
    let page = await visitor.open(toLocal(address));
    for (let step = 0; step < 5; step += 1) {
      page = await this.#follow(visitor, page);
      if (page.location?.startsWith(this.#redirectUri)) return new URL(page.location);
      if (page.status === 200) page = await visitor.post(page.url, { subject });
    }
    throw new Error(`The issuer did not lead back: ${page.status} ${page.text}`);
  }

  async #follow(visitor: HtmlVisitor, from: VisitedPage): Promise<VisitedPage> {
    let page = from;
    while (page.location !== null && !page.location.startsWith(this.#redirectUri))
      page = await visitor.open(toLocal(page.location));
    return page;
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    this.requests.push(`${req.method} ${(req.url ?? '').split('?', 1)[0]}`);
    if (this.broken !== null) return this.broken(req, res);
    const provider = this.#provider;
    if (provider === null) return void res.writeHead(503).end();
    if (!(req.url ?? '').startsWith('/login/')) return void provider.callback()(req, res);
    if (req.method === 'GET') return showLogin(res);
    let form = '';
    for await (const part of req) form += String(part);
    const accountId = new URLSearchParams(form).get('subject') ?? '';
    const grant = new provider.Grant({ accountId, clientId: CLIENT_ID });
    grant.addOIDCScope('openid email profile offline_access');
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(req, res, { login: { accountId }, consent });
  }
}

const toLocal = (address: string): string => {
  const { pathname, search } = new URL(address, 'http://127.0.0.1');
  return `${pathname}${search}`;
};

function showLogin(res: ServerResponse): void {
  res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
  res.end(
    '<!doctype html><html lang="en"><title>Company login</title><h1>Company login</h1><form method="post"><label>Subject <input name="subject"></label> <button>Log in</button></form>',
  );
}
