import type { MayAct } from '../../base/concurrency/mayAct.ts';
import { sleep } from '../../base/time/waiting.ts';
import type {
  AccountClient as AccountClientContract,
  AccountLimits,
  LimitedRequest,
  RequestWindow,
} from '../../contract/forge/account.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { isHtmlPage } from '../../base/text/htmlToPlainText.ts';
import type { ForgeBudget } from '../../contract/schema/forge/forge.ts';
import { BrokenBody, MAX_ANSWER_BYTES, readBody } from './answerBody.ts';
import { AnswerCache, mergeFreshLimits } from './answerCache.ts';
import { Budget, createRateLimitError } from './budget.ts';
import { type Caller, findCurrentCaller } from './caller.ts';
import { isMutation } from './isMutation.ts';
import {
  describeCertificateProblem,
  isLastingFailure,
  mayHaveArrived,
  describeProxyProblem,
} from './failures.ts';
import {
  type Answer,
  readAccountLimits,
  readNearLimit,
  readRefusedUntil,
  readRetryAt,
} from './limits.ts';
import { isRedirect, createRedirectError, resolveRedirect } from './redirects.ts';
import { RequestWindows } from './requestWindows.ts';
import { isServerFault } from './serverFault.ts';

export const ANSWER_MS = 30_000;
/** Tries of a request that may be repeated. */
const TRIES = 4;
/**
 * First wait after a failure, ms; doubled each time, and varied at random so that callers do not
 * come back together.
 */
const BACK_OFF_MS = 500;
/** Shortest wait after the second refusal in a row, ms; doubled each time. */
const LEAST_WAIT_MS = 1_000;
/** Longest wait for a limit, ms; a longer one is an error that names its end. */
export const PATIENCE_MS = 90_000;
/** Headers that describe the bytes on the wire and not the decoded text. */
const WIRE_HEADERS = new Set([
  'content-encoding',
  'content-length',
  'transfer-encoding',
  'connection',
]);

export interface AccountClientOptions extends AccountLimits {
  host: string;
  clock: Clock;
  /** At least 0, below 1. */
  random(): number;
  fetch: typeof fetch;
  /** Asked right before each request that changes something at the server. */
  mayAct: MayAct;
  /**
   * Removes secrets from the text of a refusal, in which a server may repeat the request; default:
   * none.
   */
  screen(text: string): string;
}

interface Request {
  method: string;
  url: string;
  headers: Headers;
  body: string | undefined;
  /** Repeating the request has no further effect. */
  isRead: boolean;
  /** It changes something at the server that others see. */
  isAct: boolean;
  isGraphql: boolean;
  maxBytes: number;
  countedAs: RequestWindow | undefined;
}

/**
 * The only way to a forge account, for runner and agents alike. Answers are cached and revalidated
 * by ETag, requests are counted against the budget, limits are waited for, failed reads are
 * repeated with growing waits. A write is sent once: if its answer is lost, it throws `unreachable`
 * with `data.sent` true. A redirect on the same server is followed, one step, with method and body;
 * a write that is redirected elsewhere throws `config-invalid`.
 */
export class AccountClient implements AccountClientContract {
  readonly #options: AccountClientOptions;
  readonly #budget: Budget;
  readonly #windows = new RequestWindows();
  readonly #cache = new AnswerCache();
  #writes: Promise<unknown> = Promise.resolve();

  constructor(options: AccountClientOptions) {
    this.#options = options;
    this.#budget = new Budget(options.perJob);
  }

  budget(): ForgeBudget {
    return this.#budget.view(this.#options.clock.now());
  }

  /**
   * As `fetch`, but for texts only. Throws SvcError `rate-limited`, `unreachable`, `too-large` or
   * `config-invalid`.
   */
  readonly fetch = async (
    url: string | URL | globalThis.Request,
    init: LimitedRequest = {},
  ): Promise<Response> => {
    const method = (init.method ?? 'GET').toUpperCase();
    const address = url instanceof globalThis.Request ? url.url : String(url);
    const body = init.body == null ? undefined : String(init.body);
    const isGraphql = address.endsWith('/graphql');
    const isRead = method === 'GET' || method === 'HEAD' || (isGraphql && !isMutation(body));
    const { maxBytes = MAX_ANSWER_BYTES, countedAs, isLogin = false } = init;
    const request: Request = {
      method,
      url: address,
      headers: new Headers(init.headers),
      body,
      isRead,
      isAct: !isRead && !isLogin,
      isGraphql,
      maxBytes,
      countedAs,
    };
    const caller = findCurrentCaller();
    const { status, headers, text } = isRead
      ? await this.#read(request, caller)
      : await this.#write(request, caller);
    const keptHeaders = [...headers].filter(([name]) => !WIRE_HEADERS.has(name));
    return new Response(status === 204 || status === 205 || status === 304 ? null : text, {
      status,
      headers: keptHeaders,
    });
  };

  async #read(request: Request, caller: Caller | null): Promise<Answer> {
    const { clock, random } = this.#options;
    const patientUntil = clock.now() + PATIENCE_MS;
    for (let tries = 1; ; tries += 1) {
      let until = clock.now();
      try {
        const answer = await this.#ask(request, caller);
        if (!isServerFault(answer, request.isGraphql) || tries === TRIES) return answer;
        until = readRetryAt(answer.headers, clock.now()) ?? until;
        if (until > patientUntil) return answer;
      } catch (error) {
        if (error instanceof SvcError || tries === TRIES || isLastingFailure(error))
          throw this.#toLostError(error, false);
      }
      const backOff = BACK_OFF_MS * 2 ** (tries - 1) * (0.5 + random());
      await sleep(clock, Math.max(backOff, until - clock.now()));
    }
  }

  /** One at a time: forges treat many concurrent writes as abuse. */
  #write(request: Request, caller: Caller | null): Promise<Answer> {
    const result = this.#writes.then(async () => {
      let goesOut = false;
      const before = async () => {
        // Before its row is written, so that a write that waits and never goes out leaves no doubt.
        if (request.isAct) await this.#options.mayAct(caller?.signal);
        await caller?.prepareWrite?.();
        goesOut = true;
      };
      try {
        return await this.#ask(request, caller, before);
      } catch (error) {
        throw goesOut ? this.#toLostError(error, mayHaveArrived(error)) : error;
      }
    });
    this.#writes = result.then(
      () => sleep(this.#options.clock, this.#options.writeGapMs ?? 1000),
      () => {},
    );
    return result;
  }

  /**
   * Sends one request; waits for limits before it and, within the caller's patience, after a
   * refusal.
   */
  async #ask(
    request: Request,
    caller: Caller | null,
    before?: () => Promise<void>,
  ): Promise<Answer> {
    const { clock } = this.#options;
    const resource = request.isGraphql ? 'graphql' : 'core';
    const patientUntil = clock.now() + PATIENCE_MS;
    let refusals = 0;
    for (;;) {
      // Checked again after each wait, since other requests may have been refused for longer.
      for (
        let until = this.#waitsUntil(request, resource);
        until > clock.now();
        until = this.#waitsUntil(request, resource)
      ) {
        if (until > patientUntil)
          throw createRateLimitError(
            `${this.#options.host} accepts no more ${this.#describeHeld(request, resource, patientUntil)} from this account`,
            until,
          );
        await sleep(clock, until - clock.now());
      }
      this.#budget.take(caller, resource, clock.now());
      if (request.countedAs) this.#windows.take(request.countedAs, clock.now());
      await before?.();
      const answer = await this.#sendFollowing(request, caller, resource);
      const accountLimits = [...readAccountLimits(answer), ...readNearLimit(answer, clock.now())];
      const limits = this.#options.shortWindows ? accountLimits.filter(isSpent) : accountLimits;
      for (const limit of limits) this.#budget.noteLimit(limit.resource, limit, clock.now());
      const until = readRefusedUntil(answer, clock.now(), request.isGraphql);
      if (until === null) return answer;
      // A server that names no time, or a past one, is not asked again immediately.
      const least = refusals === 0 ? 0 : LEAST_WAIT_MS * 2 ** (refusals - 1);
      refusals += 1;
      const waits = Math.max(until, clock.now() + least) + this.#options.random() * 1000;
      // Every caller waits, since further requests would extend the limit. If the account has
      // requests left, a refusal holds only requests of its kind.
      if (request.countedAs && accountLimits.length > 0 && !accountLimits.some(isSpent))
        this.#windows.wait(request.countedAs, waits);
      else this.#budget.wait(waits);
    }
  }

  /** Names what has to wait: every request, or those of one kind. */
  #describeHeld({ countedAs }: Request, resource: string, until: number): string {
    const isAll = countedAs === undefined || this.#budget.waitsUntil(resource) > until;
    return isAll ? 'requests' : `requests for ${countedAs.name}`;
  }

  #waitsUntil({ countedAs }: Request, resource: string): number {
    const ofKind = countedAs ? this.#windows.waitsUntil(countedAs, this.#options.clock.now()) : 0;
    return Math.max(ofKind, this.#budget.waitsUntil(resource));
  }

  /** One step only: a renamed repository answers with its final address. */
  async #sendFollowing(request: Request, caller: Caller | null, resource: string): Promise<Answer> {
    const answer = await this.#send(request, caller);
    const to = resolveRedirect(answer, request);
    if (to !== null) this.#budget.take(caller, resource, this.#options.clock.now());
    const final = to === null ? answer : await this.#send({ ...request, url: to }, caller);
    if (!request.isRead && isRedirect(final.status))
      throw createRedirectError(this.#options.host, final.status);
    return final;
  }

  async #send(request: Request, caller: Caller | null): Promise<Answer> {
    const { method, url, headers, body, isRead, maxBytes } = request;
    // Here, since a redirected write is sent twice, and a commit may have taken long.
    if (request.isAct) await this.#options.mayAct(caller?.signal);
    const key = `${url} ${headers.get('accept')}`;
    const cached = isRead && method === 'GET' ? this.#cache.get(key) : undefined;
    const sentHeaders = new Headers(headers);
    if (cached) sentHeaders.set('if-none-match', cached.etag);
    const abortController = new AbortController();
    const cancel = this.#options.clock.at(this.#options.clock.now() + ANSWER_MS, () =>
      abortController.abort(new Error('no answer in time')),
    );
    try {
      const response = await this.#options.fetch(url, {
        method,
        headers: sentHeaders,
        redirect: 'manual',
        signal: abortController.signal,
        ...(body === undefined ? {} : { body }),
      });
      const bodyText = await readBody(response, this.#options.host, maxBytes);
      // An HTML page is not data: its title is quoted like a refusal.
      const isData = (response.ok || response.status === 304) && !isHtmlPage(bodyText);
      const text = isData ? bodyText : this.#options.screen(bodyText);
      if (response.status === 304 && cached) {
        this.#budget.noteNotModified();
        return {
          status: cached.status,
          headers: mergeFreshLimits(cached, response.headers),
          text: cached.text,
        };
      }
      const etag = response.headers.get('etag');
      if (method === 'GET' && response.status === 200 && etag !== null) {
        this.#cache.keep(key, { etag, status: 200, headers: [...response.headers], text });
      }
      return { status: response.status, headers: response.headers, text };
    } catch (error) {
      // A server that is too slow counts as silent, even if its answer has begun.
      throw abortController.signal.aborted && error instanceof BrokenBody ? error.cause : error;
    } finally {
      cancel();
    }
  }

  /** An answer that came keeps its status: the server is not away. */
  #toLostError(error: unknown, isSent: boolean): SvcError {
    if (error instanceof SvcError) return error;
    const { host } = this.#options;
    if (error instanceof BrokenBody) {
      const { status, cause } = error;
      const why = toErrorMessage(Object(cause).cause ?? cause);
      const text = `${host} answers (${status}), but the answer is incomplete: ${why}.`;
      return new SvcError('unreachable', text, { data: { sent: isSent, status }, cause });
    }
    const message =
      describeCertificateProblem(host, error) ??
      describeProxyProblem(host, error) ??
      `${host} does not answer: ${toErrorMessage(Object(error).cause ?? error)}.`;
    return new SvcError('unreachable', message, { data: { sent: isSent }, cause: error });
  }
}

const isSpent = ({ remaining }: { remaining: number }): boolean => remaining === 0;
