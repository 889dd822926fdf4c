import type { MayAct } from '../../base/concurrency/mayAct.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import { type ErrorCode, toErrorMessage, SvcError } from '../../base/errors/errors.ts';
import { screenTexts } from '../../base/secrets/screenSecrets.ts';
import { Budget, createRateLimitError } from '../../providers/account/budget.ts';
import { findCurrentCaller } from '../../providers/account/caller.ts';
import type { ForgeBudget } from '../../contract/schema/forge/forge.ts';
import type { ScmArgs, ScmCall, ScmMethod, ScmReply } from '../process/protocol.ts';
import { type LeftOut, type ParsedScm, parseScm } from './scmAnswers.ts';

/** Longest pause after a rate limit without an end, ms. */
const UNTIMED_LIMIT_MS = 60_000;
/** Latest end of a rate limit that svc believes, ms from now. */
const MAX_LIMIT_MS = 6 * 3_600_000;

/**
 * Errors of a write that mean it was not done. After any other error it may have been done, so svc
 * looks.
 */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'not-found',
  'conflict',
  'bad-argument',
  'forbidden',
  'rate-limited',
  'config-invalid',
]);

export interface ScmCallsOptions {
  id: string;
  clock: Clock;
  /** Most calls of one job in an hour. */
  perJob: number;
  ask(call: ScmCall): Promise<unknown>;
  /** Asked right before each call that writes. */
  mayAct: MayAct;
  screen(text: string): string;
  /** Called with each password for git. */
  onSecret(secret: string): void;
  /**
   * Called once for each member with left-out parts, such as `pullRequest().comments`. `why`: a
   * clause.
   */
  onLeftOut?(member: string, why: string): void;
}

/** Makes all calls to a forge plugin, counts them and checks the answers. */
export class ScmCalls {
  readonly #options: ScmCallsOptions;
  readonly #budget: Budget;
  readonly #reported = new Set<string>();
  #writes: Promise<unknown> = Promise.resolve();

  constructor(options: ScmCallsOptions) {
    this.#options = options;
    this.#budget = new Budget(options.perJob);
  }

  budget(): ForgeBudget {
    return this.#budget.view(this.#options.clock.now());
  }

  /** Throws SvcError: the plugin's own, or `invalid` for an answer of another form. */
  async read<M extends ScmMethod>(method: M, ...args: ScmArgs<M>): Promise<ScmReply<M>> {
    return (await this.readPartly(method, ...args)).answer;
  }

  /** Like `read`, and also returns what was left out of the answer. */
  async readPartly<M extends ScmMethod>(method: M, ...args: ScmArgs<M>): Promise<ParsedScm<M>> {
    this.#take();
    return this.#makeCall(method, args);
  }

  /**
   * Runs writes in sequence, each at most once. Throws `unreachable` with `data.sent` for one that
   * may have been done.
   */
  write<M extends ScmMethod>(method: M, ...args: ScmArgs<M>): Promise<ScmReply<M>> {
    const caller = findCurrentCaller();
    const result = this.#writes.then(async () => {
      this.#take();
      const { mayAct } = this.#options;
      // Before its row is written, so that a write that waits and never goes out leaves no doubt.
      await mayAct(caller?.signal);
      await caller?.prepareWrite?.();
      await mayAct(caller?.signal);
      try {
        return (await this.#makeCall(method, args)).answer;
      } catch (error) {
        if (error instanceof SvcError && REFUSALS.has(error.code)) throw error;
        const why = toErrorMessage(error);
        throw new SvcError('unreachable', why, { data: { sent: true }, cause: error });
      }
    });
    this.#writes = result.catch(() => {});
    return result;
  }

  #take(): void {
    const { id, clock } = this.#options;
    const now = clock.now();
    const until = this.#budget.waitsUntil('core');
    if (until > now) throw createRateLimitError(`${id} accepts no more requests`, until);
    this.#budget.take(findCurrentCaller(), 'core', now);
  }

  async #makeCall<M extends ScmMethod>(method: M, args: ScmArgs<M>): Promise<ParsedScm<M>> {
    const call: ScmCall = { method, args };
    const parsed = this.#parseAnswer(method, await this.#ask(call));
    const wrong = describeMismatch(call, parsed.answer);
    if (wrong !== null) throw this.#createBrokenError(method, wrong);
    this.#report(method, parsed.leftOut);
    return parsed;
  }

  #report(method: ScmMethod, leftOut: readonly LeftOut[]): void {
    for (const { member, why } of leftOut) {
      const name = `${method}()${member === '' ? '' : `.${member}`}`;
      if (this.#reported.has(name)) continue;
      this.#reported.add(name);
      this.#options.onLeftOut?.(name, why);
    }
  }

  async #ask(call: ScmCall): Promise<unknown> {
    const { id, clock, ask } = this.#options;
    try {
      return await ask(call);
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'rate-limited') throw error;
      const now = clock.now();
      const retryAt = Number(error.data.retryAt ?? now + UNTIMED_LIMIT_MS);
      const until =
        retryAt > now && retryAt < now + MAX_LIMIT_MS ? retryAt : now + UNTIMED_LIMIT_MS;
      this.#budget.wait(until);
      throw new SvcError('rate-limited', `${id}: ${error.message}`, {
        data: { resetsAt: toIsoTime(until) },
        cause: error,
      });
    }
  }

  #createBrokenError(method: string, how: string): SvcError {
    const { id } = this.#options;
    return new SvcError('invalid', `${id}: ${method}() broke its contract: ${how}.`);
  }

  #parseAnswer<M extends ScmMethod>(method: M, value: unknown): ParsedScm<M> {
    const { screen, onSecret } = this.#options;
    const parsed = parseScm(method, value);
    if ('wrong' in parsed) throw this.#createBrokenError(method, parsed.wrong);
    const { answer, leftOut } = parsed;
    const { login } = Object(answer);
    const password: unknown = method === 'repository' ? login?.password : undefined;
    if (typeof password === 'string' && password !== '') onSecret(password);
    const screenedAnswer = screenTexts(answer, screen) as ScmReply<M>;
    // The login is for git, not for people.
    const safe = password === undefined ? screenedAnswer : { ...Object(screenedAnswer), login };
    return { answer: safe, leftOut };
  }
}

/** How an answer differs from the request; null = it matches. */
function describeMismatch({ method, args: [request] }: ScmCall, answer: unknown): string | null {
  const [expected, actual] = [Object(request), Object(answer)];
  if (method === 'pullRequest' || method === 'merge')
    return actual.number === expected.number ? null : `it is about number ${actual.number}`;
  if (method === 'createPullRequest') {
    const isSame = actual.head === expected.head && actual.base === expected.base;
    return isSame ? null : `it is from ${actual.head} to ${actual.base}`;
  }
  if (method === 'changes')
    return actual.length === expected.length ? null : `it has ${actual.length} texts`;
  return null;
}
