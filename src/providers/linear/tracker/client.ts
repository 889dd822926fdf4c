import { SvcError } from '../../../lib/errors.ts';
import type { AccountClient, RequestWindow } from '../../../contract/account.ts';
import { type RestServer, refused } from '../../rest/refusal.ts';

/** How svc works with one Linear account. */
export interface LinearSettings {
  /** API key, or access token of OAuth. */
  apiKey: string;
  /** The header `Authorization`. */
  authorization: string;
  /** Key of the team that searches are kept to; empty = all that the key may see. */
  teamKey: string;
  /** Address of the API: ends in /graphql. */
  api: string;
}

interface GraphqlError {
  message?: string;
  path?: unknown;
  extensions?: { code?: string; type?: string; userPresentableMessage?: string };
}

/** Linear says by its own codes what went wrong, under status 200 or 400. */
const STATUS: Readonly<Record<string, number>> = {
  AUTHENTICATION_ERROR: 401,
  'authentication error': 401,
  FORBIDDEN: 403,
  forbidden: 403,
  FEATURE_NOT_ACCESSIBLE: 403,
  'feature not accessible': 403,
  INTERNAL_SERVER_ERROR: 500,
  'internal error': 500,
  'lock timeout': 500,
};

function statusOf(httpStatus: number, { message = '', extensions = {} }: GraphqlError): number {
  if (/^Entity not found|^Could not find/i.test(message)) return 404;
  const known = STATUS[extensions.code ?? ''] ?? STATUS[extensions.type ?? ''];
  return known ?? (httpStatus >= 400 ? httpStatus : 400);
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * Whether the errors concern parts of the answer alone, which are null in it: what was asked for is
 * there.
 */
const isPartial = (data: unknown, errors: readonly GraphqlError[]): boolean =>
  Object.values(Object(data)).length > 0 &&
  Object.values(Object(data)).every((value) => value !== null) &&
  errors.every(({ path }) => Array.isArray(path) && path.length > 1);

/** Asks Linear, and turns its refusals into errors that say what to do. */
export class LinearClient {
  readonly #settings: LinearSettings;
  readonly #accountClient: AccountClient;
  readonly server: RestServer;

  constructor(settings: LinearSettings, accountClient: AccountClient) {
    this.#settings = settings;
    this.#accountClient = accountClient;
    this.server = {
      host: new URL(settings.api).host,
      tokenSetting: 'plugins.installed.linear.config.apiKey',
    };
  }

  get host(): string {
    return this.server.host;
  }

  /** `countedAs`: a limit of this kind of question alone. Throws SvcError. */
  async ask<T>(
    what: string,
    query: string,
    variables: Record<string, unknown> = {},
    countedAs?: RequestWindow,
  ): Promise<T> {
    const response = await this.#accountClient.fetch(this.#settings.api, {
      method: 'POST',
      countedAs,
      headers: {
        authorization: this.#settings.authorization,
        'content-type': 'application/json',
        'user-agent': 'svc',
      },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = Object(parsed(await response.text()));
    const all: GraphqlError[] = Array.isArray(errors) ? errors : [];
    const [first] = all;
    if (first && !isPartial(data, all)) {
      const message =
        first.extensions?.userPresentableMessage ?? first.message ?? 'no reason given';
      throw refused(this.server, what, {
        status: statusOf(response.status, first),
        message: message.slice(0, 300),
      });
    }
    if (!response.ok)
      throw refused(this.server, what, { status: response.status, message: 'no reason given' });
    if (data === undefined || data === null) {
      throw new SvcError(
        'unreachable',
        `${this.host} answers about ${what} with something other than data.`,
        {
          data: { sent: true },
        },
      );
    }
    return data as T;
  }
}
