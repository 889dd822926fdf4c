import { quoteHugeIntegers } from '../../../base/json/quoteHugeIntegers.ts';
import { readAtPath, readTextAt } from '../../../base/json/untrusted.ts';
import type { AccountClient, RequestWindow } from '../../../contract/forge/account.ts';
import { describeBody, expectAnsweredObject } from '../../rest/expectAnsweredObject.ts';
import { type RestServer, createRefusalError, createUnreadError } from '../../rest/refusal.ts';
import { readErrorTexts, joinErrorTexts, describeRefusal } from '../../rest/describeRefusal.ts';

export interface LinearSettings {
  /** API key, or OAuth access token. */
  apiKey: string;
  /** The header `Authorization`. */
  authorization: string;
  /** Key of the team that searches are kept to; empty = all that the key may see. */
  teamKey: string;
  /** Address of the API, which ends in /graphql. */
  api: string;
}

interface GraphqlError {
  message: string;
  path: unknown;
  code: string;
  type: string;
  /** Text for people; empty where Linear has none. */
  presentable: string;
  validationErrors: unknown;
}

function readLinearError(value: unknown): GraphqlError {
  const extensions = readAtPath(value, 'extensions');
  return {
    message: readTextAt(value, 'message'),
    path: readAtPath(value, 'path'),
    code: readTextAt(extensions, 'code'),
    type: readTextAt(extensions, 'type'),
    presentable: readTextAt(extensions, 'userPresentableMessage'),
    validationErrors: readAtPath(extensions, 'validationErrors'),
  };
}

/** Linear's words, those for people first; empty where it says nothing. */
const joinLinearProblems = (errors: readonly GraphqlError[]): string =>
  joinErrorTexts(
    errors.flatMap(({ message, presentable, validationErrors }) => [
      ...readErrorTexts(presentable || message),
      ...readErrorTexts(validationErrors),
    ]),
  );

/** Maps Linear's own error codes, which come with status 200 or 400. */
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

function toLinearStatus(httpStatus: number, { message, code, type }: GraphqlError): number {
  if (/^Entity not found|^Could not find/i.test(message)) return 404;
  const knownStatus = STATUS[code] ?? STATUS[type];
  return knownStatus ?? (httpStatus >= 400 ? httpStatus : 400);
}

const parseLinearAnswer = (text: string): unknown => {
  try {
    return JSON.parse(quoteHugeIntegers(text));
  } catch {
    return null;
  }
};

/** Whether the errors are only about optional parts of the answer, which are null. */
const isPartialLinearAnswer = (data: unknown, errors: readonly GraphqlError[]): boolean =>
  Object.values(Object(data)).length > 0 &&
  Object.values(Object(data)).every((value) => value !== null) &&
  errors.every(({ path }) => Array.isArray(path) && path.length > 1);

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
    const text = await response.text();
    const { data, errors } = Object(parseLinearAnswer(text));
    const all: GraphqlError[] = Array.isArray(errors) ? errors.map(readLinearError) : [];
    const [first] = all;
    if (first && !isPartialLinearAnswer(data, all))
      throw createRefusalError(this.server, what, {
        status: toLinearStatus(response.status, first),
        message: joinLinearProblems(all),
      });
    if (!response.ok)
      throw createRefusalError(this.server, what, {
        status: response.status,
        message: describeRefusal(parseLinearAnswer(text) ?? text),
      });
    const { status } = response;
    if (data === undefined || data === null) {
      const description = describeBody(parseLinearAnswer(text) ?? text);
      throw createUnreadError(this.server, what, `${description} instead of data`, status);
    }
    const answer = expectAnsweredObject(this.server, what, data as T, status);
    // Every question asks for one member, which the answer has even if it is null.
    if (Object.keys(answer).length === 0)
      throw createUnreadError(this.server, what, 'an empty object', status);
    return answer;
  }
}
