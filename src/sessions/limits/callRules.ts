import type { SeenCall } from '../../contract/session/seenCall.ts';
import type { CallLimits } from '../../base/limits/loopLimits.ts';

/** Minimum interval after which a waiting tool's repeated answer is not a repetition, ms. */
const WAITED_MS = 30_000;

/** A fold that frees a smaller share of the conversation is useless. */
const LEAST_FREED = 0.1;
/** If that is unknown: fewer calls than this since the previous fold. */
const FOLD_CALLS = 5;

/** Job tools that ask whether something has happened. */
const WAITS = /(?:^|__)(?:(?:get|scm_get)_pr_status|sub_run_status|loki_query|tempo_query)$/;
/** Tools that change files, after which the same call counts as a different one. */
const EDITS =
  /(?:^|__)(?:write|edit|multi_?edit|notebook_?edit|apply_patch|str_replace|create_file)/i;

interface RepeatedCall {
  count: number;
  /** Number of the event with which it last ended. */
  ended: number;
  /** Epoch ms. */
  at: number;
}

const formatRepetition = (times: number, what: string): string => `${what}, ${times} times`;

/**
 * Rules about repetition within a session. They only warn, once per fingerprint: the session ends
 * at the limit of its turn or budget. Events must arrive in order.
 */
export class CallRules {
  readonly #limits: CallLimits;
  readonly #open = new Map<string, { print: string; began: number }>();
  readonly #calls = new Map<string, RepeatedCall>();
  readonly #errors = new Map<string, number>();
  readonly #warned = new Set<string>();
  /** Newest last. */
  #recent: { key: string; name: string }[] = [];
  #seen = 0;
  #silent = 0;
  #called = false;
  /** Calls that ended since the last fold; null = no fold yet. */
  #sinceFold: number | null = null;
  #uselessFolds = 0;

  constructor(limits: CallLimits) {
    this.#limits = limits;
  }

  /** Advice for the agent about this call; null = none. `now`: epoch ms. */
  call({ at, id, name, ok, print }: Omit<SeenCall, 'failing'>, now: number): string | null {
    this.#seen += 1;
    this.#called = true;
    if (at === 'start') {
      this.#open.set(id, { print, began: this.#seen });
      return null;
    }
    if (this.#sinceFold !== null) this.#sinceFold += 1;
    const openCall = this.#open.get(id);
    this.#open.delete(id);
    if (!openCall) return null;
    if (ok && EDITS.test(name)) {
      this.#calls.clear();
      this.#recent = [];
      return null;
    }
    const key = `${name} ${openCall.print}`;
    return ok
      ? (this.#noteRepeat(`${key} ${print}`, name, openCall.began, now) ??
          this.#pingPong(key, name))
      : this.#noteFailure(`${name} ${print}`, name);
  }

  /** Advice after a turn; null = none. */
  turn(): string | null {
    this.#silent = this.#called ? 0 : this.#silent + 1;
    this.#called = false;
    return this.#silent === this.#limits.silence
      ? formatRepetition(this.#silent, 'The agent has answered without any tool call')
      : null;
  }

  /** Advice after a fold; null = none. `freed`: see SeenFold. */
  fold(freedTokens: number | null): string | null {
    const isUseless =
      freedTokens === null
        ? this.#sinceFold !== null && this.#sinceFold < FOLD_CALLS
        : freedTokens < LEAST_FREED;
    this.#sinceFold = 0;
    this.#uselessFolds = isUseless ? this.#uselessFolds + 1 : 0;
    if (this.#uselessFolds !== this.#limits.folds || !isUseless) return null;
    return this.#warnOnce(
      'folds',
      `${formatRepetition(this.#uselessFolds, 'The conversation was folded again and again, and hardly anything was freed')}.`,
    );
  }

  #warnOnce(fingerprint: string, text: string): string | null {
    if (this.#warned.has(fingerprint)) return null;
    this.#warned.add(fingerprint);
    return text;
  }

  #noteRepeat(key: string, name: string, began: number, now: number): string | null {
    const before = this.#calls.get(key);
    // The agent had not seen the answer of a parallel call.
    if (before && before.ended > began) return null;
    const waited = before !== undefined && WAITS.test(name) && now - before.at >= WAITED_MS;
    const count = before === undefined || waited ? 1 : before.count + 1;
    this.#calls.set(key, { count, ended: this.#seen, at: now });
    if (count !== this.#limits.calls) return null;
    const instead = WAITS.test(name) ? ' Use await_event to wait: it costs nothing.' : '';
    return this.#warnOnce(
      key,
      `${formatRepetition(count, `The same call of ${name} had the same answer`)}.${instead}`,
    );
  }

  #noteFailure(key: string, name: string): string | null {
    const count = (this.#errors.get(key) ?? 0) + 1;
    this.#errors.set(key, count);
    return count === this.#limits.errors
      ? this.#warnOnce(key, `${formatRepetition(count, `${name} has failed with the same error`)}.`)
      : null;
  }

  #pingPong(key: string, name: string): string | null {
    const pairs = this.#limits.pingPong;
    if (pairs === 0) return null;
    this.#recent = [...this.#recent, { key, name }].slice(-2 * pairs);
    const [a, b] = this.#recent;
    if (this.#recent.length < 2 * pairs || a === undefined || b === undefined || a.key === b.key)
      return null;
    const alternates = this.#recent.every((call, n) => call.key === (n % 2 === 0 ? a : b).key);
    if (!alternates) return null;
    return this.#warnOnce(
      [a.key, b.key].toSorted().join(' '),
      `${formatRepetition(pairs, `The same two calls, of ${a.name} and ${b.name}, follow each other`)}.`,
    );
  }
}
