import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Ids } from '../../../base/system/ids/ids.ts';
import type { Clock } from '../../../base/time/clock.ts';
import type { Database } from '../../database/database.ts';
import { createUnavailable, type IssuerErrors, toIssuerFault } from './issuerFaults.ts';
import { buildIssuerConfiguration } from './issuerConfiguration.ts';
import { AUTH_PREFIX } from './issuerPaths.ts';
import { loadProvider, type ProviderPackage } from './loadProvider.ts';
import type { LoginState } from '../signOn/confirmationRules.ts';
import { type SigningKey, SigningKeys } from './signingKeys.ts';

export interface IssuerParts {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: { error(details: object, message: string): void };
  publicUrl: string;
  findUser(id: string): Promise<{ email: string; name: string } | null>;
  /** Whether a login of a command line from this time (epoch ms) may be renewed. */
  confirmRefresh(userId: string, loggedInAt: number): Promise<LoginState>;
}

/** The authorization server, made again when its keys have changed. */
export class Issuer {
  readonly url: string;
  readonly keys: SigningKeys;
  readonly errors: IssuerErrors;
  readonly #parts: IssuerParts;
  readonly #package: ProviderPackage;
  #made: { provider: Provider; keys: readonly SigningKey[] } | null = null;

  private constructor(parts: IssuerParts, providerPackage: ProviderPackage) {
    this.#parts = parts;
    this.#package = providerPackage;
    this.url = `${parts.publicUrl}${AUTH_PREFIX}`;
    this.keys = new SigningKeys(parts);
    this.errors = providerPackage.errors;
  }

  static async open(parts: IssuerParts): Promise<Issuer> {
    return new Issuer(parts, await loadProvider());
  }

  async provider(): Promise<Provider> {
    const keys = await this.keys.list();
    if (this.#made?.keys === keys) return this.#made.provider;
    const { database, clock, publicUrl, findUser, log } = this.#parts;
    const provider = new this.#package.Provider(
      this.url,
      buildIssuerConfiguration({
        publicUrl,
        keys,
        places: { database, clock, errors: this.errors },
        findUser: (id) =>
          findUser(id).catch((error: unknown) => {
            throw toIssuerFault(error, this.errors);
          }),
        isStillAllowed: (userId, seconds) => this.#isStillAllowed(userId, seconds * 1000),
      }),
    );
    // It says https or not by a header, which `answer` sets from the public URL.
    provider.proxy = true;
    provider.on('server_error', (_ctx, error) =>
      log.error({ err: error }, 'The authorization server failed on a request.'),
    );
    this.#made = { provider, keys };
    return provider;
  }

  async #isStillAllowed(userId: string, loggedInAt: number): Promise<boolean> {
    const state = await this.#parts.confirmRefresh(userId, loggedInAt).catch((error: unknown) => {
      throw toIssuerFault(error, this.errors);
    });
    if (state === 'away')
      throw createUnavailable(this.errors, "The company's issuer does not answer. Try again.");
    return state === 'valid';
  }

  /** Answers a request below `/auth`. */
  async answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const provider = await this.provider();
    const { host, protocol } = new URL(this.#parts.publicUrl);
    // What it writes into links: never what a client names.
    req.headers.host = host;
    req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
    delete req.headers['x-forwarded-host'];
    // Its own session would let an authorization pass under the account of an earlier login.
    req.headers.cookie = dropCookie(req.headers.cookie ?? '', provider.cookieName('session'));
    const original = req.url ?? '/';
    Object.assign(req, { originalUrl: original, url: original.slice(AUTH_PREFIX.length) });
    await provider.callback()(req, res);
  }
}

const dropCookie = (header: string, name: string): string =>
  header
    .split(';')
    .filter((pair) => !pair.trim().startsWith(`${name}=`))
    .join(';');
