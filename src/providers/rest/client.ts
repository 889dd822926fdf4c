import { SvcError } from '../../base/errors/errors.ts';
import { quoteHugeIntegers, toJsonWithHugeIntegers } from '../../base/json/quoteHugeIntegers.ts';
import { htmlToPlainText } from '../../base/text/htmlToPlainText.ts';
import type { LimitedRequest } from '../../contract/forge/account.ts';
import { MAX_ANSWER_BYTES, MAX_DIFF_BYTES } from '../account/answerBody.ts';
import { expectAnsweredObject, expectDiff } from './expectAnsweredObject.ts';
import {
  createUnreadError,
  type Refusal,
  type RestServer,
  createRefusalError,
  createUnconfirmedError,
} from './refusal.ts';

/** Most items of a list that are read; longer lists are cut. */
const MAX_ITEMS = 5_000;
const FORM = 'application/x-www-form-urlencoded';
/**
 * Most pages of a list that are read: the server chooses the number of items on a page, maybe none.
 */
const MAX_PAGES = 500;
const MAX_SAID = 600;

/** A list becomes one parameter for each member, all with the same name. */
export type RestQuery = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | undefined>
>;

export interface RestAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON; the text if it is not JSON; null if the body is empty. */
  body: unknown;
}

export interface RestOptions {
  server: RestServer;
  /** Base address for paths, without a trailing slash; a function is called each time. */
  api: string | (() => Promise<string>);
  /** Headers of every request, with the login. */
  headers: Readonly<Record<string, string>>;
  fetch: typeof globalThis.fetch;
  /** Whether the server wants an `id` beyond 2^53 as a number; default: it is sent as text. */
  wantsNumericIds?: boolean;
  /** Reads a refusal in the server's format; `status`: the meaning of the server's own one. */
  readRefusal(answer: RestAnswer): Omit<Refusal, 'status'> & { status?: number };
  /** The items of one page of a list, and the address of the next page; null = none exists. */
  readListPage(answer: RestAnswer, url: string): { items: unknown; next: string | null };
}

/** `what` names in errors what was asked for: `pull request acme/shop#1`. All throw SvcError. */
export class RestClient {
  readonly server: RestServer;
  readonly #options: RestOptions;

  constructor(options: RestOptions) {
    this.server = options.server;
    this.#options = options;
  }

  /** Gets an object; any other body is refused. */
  async get<T extends object>(what: string, path: string, query: RestQuery = {}): Promise<T> {
    const { body, status } = await this.#get(what, path, query);
    return expectAnsweredObject(this.server, what, body as T, status);
  }

  /** Gets any body: the caller checks it. */
  async getAny(what: string, path: string, query: RestQuery = {}): Promise<unknown> {
    return (await this.#get(what, path, query)).body;
  }

  async #get(what: string, path: string, query: RestQuery): Promise<RestAnswer> {
    return this.#ask(what, 'GET', await this.#url(path, query), undefined);
  }

  /**
   * Without `body` an empty one is sent. `isDone`: whether the answer shows that it was done.
   * Throws SvcError `unreachable` with `data.sent` where it does not.
   */
  async send<T>(
    what: string,
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: object,
    isDone: (answer: Partial<T>) => boolean,
  ): Promise<T> {
    const answer = (await this.sendForAnswer(what, method, path, body)).body;
    if (!isDone(Object(answer) as Partial<T>)) throw createUnconfirmedError(this.server, what);
    return answer as T;
  }

  /** As `send`, with status and headers. `URLSearchParams` go as a form. */
  async sendForAnswer(
    what: string,
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: object = {},
  ): Promise<RestAnswer> {
    const toJson = this.#options.wantsNumericIds ? toJsonWithHugeIntegers : JSON.stringify;
    return this.#ask(
      what,
      method,
      await this.#url(path, {}),
      body instanceof URLSearchParams ? body : toJson(body),
    );
  }

  /** A diff: an answer that is text and not JSON. */
  async diff(what: string, path: string, query: RestQuery = {}): Promise<string> {
    const url = await this.#url(path, query);
    const response = await this.#fetch('GET', url, undefined, 'text/plain, */*', MAX_DIFF_BYTES);
    const text = await response.text();
    const { status, headers } = response;
    if (response.ok)
      return expectDiff(this.server, `the diff of ${what}`, {
        text,
        contentType: headers.get('content-type'),
        status,
      });
    throw this.#createRefusal(what, this.#read(what, response, text));
  }

  /** All pages, up to the end of the list or `most` items. */
  async list<T>(what: string, path: string, query: RestQuery = {}, most = MAX_ITEMS): Promise<T[]> {
    const allItems: unknown[] = [];
    const first = await this.#url(path, query);
    const { origin } = new URL(first);
    const requestedUrls = new Set<string>();
    // A list that leads back to a page that was read would have no end.
    for (
      let url: string | null = first;
      url !== null &&
      !requestedUrls.has(url) &&
      requestedUrls.size < MAX_PAGES &&
      allItems.length < most;
    ) {
      requestedUrls.add(url);
      // The token goes to no other server, whatever an answer says.
      if (new URL(url).origin !== origin) {
        throw new SvcError(
          'unreachable',
          `${this.server.host} names a next page of ${what} at another server.`,
        );
      }
      const answer: RestAnswer = await this.#ask(what, 'GET', url, undefined);
      const { items, next } = this.#options.readListPage(answer, url);
      if (!Array.isArray(items))
        throw createUnreadError(this.server, what, 'something other than a list', answer.status);
      allItems.push(...items);
      url = next;
    }
    return allItems.slice(0, most) as T[];
  }

  async #url(path: string, query: RestQuery): Promise<string> {
    const members = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value])
        if (one !== undefined) members.append(name, String(one));
    }
    const { api } = this.#options;
    return `${typeof api === 'string' ? api : await api()}${path}${members.size === 0 ? '' : `?${members}`}`;
  }

  #fetch(
    method: string,
    url: string,
    body: string | URLSearchParams | undefined,
    accept: string,
    maxBytes = MAX_ANSWER_BYTES,
  ): Promise<Response> {
    const { fetch, headers } = this.#options;
    const init: LimitedRequest = {
      method,
      maxBytes,
      headers: {
        accept,
        'user-agent': 'svc',
        ...headers,
        ...(body === undefined
          ? {}
          : { 'content-type': body instanceof URLSearchParams ? FORM : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: String(body) }),
    };
    return fetch(url, init);
  }

  async #ask(
    what: string,
    method: string,
    url: string,
    body: string | URLSearchParams | undefined,
  ): Promise<RestAnswer> {
    const response = await this.#fetch(method, url, body, 'application/json');
    const answer = this.#read(what, response, await response.text());
    if (response.ok) return answer;
    throw this.#createRefusal(what, answer);
  }

  #read(what: string, { status, headers, ok }: Response, text: string): RestAnswer {
    if (text.trim() === '') return { status, headers, body: null };
    try {
      return { status, headers, body: JSON.parse(quoteHugeIntegers(text)) };
    } catch {
      if (!ok) return { status, headers, body: text };
    }
    const { host } = this.server;
    throw new SvcError(
      'unreachable',
      `${host} answers about ${what} with something other than data. Check the address of the server. It answers: ${htmlToPlainText(text)}`,
      { data: { status, sent: true } },
    );
  }

  #createRefusal(what: string, answer: RestAnswer): SvcError {
    const refusal = this.#options.readRefusal(answer);
    return createRefusalError(this.server, what, {
      status: answer.status,
      ...refusal,
      message: refusal.message.slice(0, MAX_SAID),
    });
  }
}
