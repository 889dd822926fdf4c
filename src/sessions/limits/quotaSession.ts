import {
  decideAfterFailure,
  closeAfterHit,
  mustEndSessions,
  HEADLESS_USE,
  isAccountUsedUp,
  type JobContext,
  MOST_USE,
  readQuotaContext,
  quotaChart,
  type QuotaFailure,
  START_MS,
  computeUsedShare,
} from '../../../machines/index.ts';
import type { SessionEvent, SessionResult } from '../../contract/session/executor.ts';
import type { LoopLimit } from '../../base/limits/loopLimits.ts';
import type { ClosedLimit, QuotaHit, QuotaLimit } from '../../base/agents/quotaKinds.ts';
import { SESSION_FAULTS } from '../../base/errors/sessionFaults.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { Send } from '../../kernel/contract.ts';
import type { Kernel } from '../../contract/records/changes.ts';

/** Shortest interval of reports about an account's use with the same consequences, ms. */
const SEEN_EVERY_MS = 60_000;

/** How many of the bounds that stop new work are reached. */
const countReachedBounds = (useShare: number): number =>
  [HEADLESS_USE, MOST_USE].filter((b) => useShare >= b).length;

export interface QuotaSessionDeps {
  kernel: Pick<Kernel, 'submit' | 'state'>;
  /** Epoch ms. */
  now(): number;
  /** Random number from 0 to below 1. */
  chance(): number;
  /** Limits after which sessions that fail at once cause a warning and close the account. */
  starts(): LoopLimit;
  onError(error: unknown): void;
}

export interface QuotaSessionEnd {
  /** For `session.ended`. */
  limit: { resetsAt?: number | null; quota?: ClosedLimit; pool?: string };
  /** How the session counts as ended: `quota` if its job waits for the account. */
  stopReason: SessionResult['stopReason'];
  /** A warning for the job's log; null = none. */
  warning: string | null;
  /** Committed with the session's end, before the end itself. */
  sends: Send[];
}

const UNKNOWN: QuotaLimit = { kind: 'exhausted', window: null };

export class QuotaSession {
  readonly #deps: QuotaSessionDeps;
  readonly #id: string | null;
  readonly #job: string | null;
  readonly #began: number;
  /** A person has resumed the job, so it may use its model whatever the account says. */
  readonly #isVouched: boolean;
  readonly #isWoken: boolean;
  readonly #cut = new AbortController();
  #hasAnswered = false;
  #seen = { at: Number.NEGATIVE_INFINITY, bounds: 0 };

  /**
   * `account`: its id; null = unknown, nothing is reported. `jobId`: null = a chat, whose failures
   * are not counted, since a person sees them.
   */
  constructor(
    deps: QuotaSessionDeps,
    accountId: string | null,
    jobId: string | null,
    job: Pick<JobContext, 'admitted'>,
  ) {
    this.#deps = deps;
    this.#id = accountId;
    this.#job = jobId;
    this.#began = deps.now();
    this.#isVouched = job.admitted === true;
    this.#isWoken = job.admitted === 'pool' || job.admitted === 'probe';
  }

  /** Aborted when the account wants the session to end. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** Resolves when the account's actor exists. */
  async enter(): Promise<void> {
    const accountId = this.#id;
    if (accountId === null || this.#state() !== undefined) return;
    const input = { pool: accountId, createdAt: this.#deps.now() };
    await this.#deps.kernel.submit({ starts: [{ chart: quotaChart.id, id: accountId, input }] });
  }

  /** How the session ends before it begins, if its account takes none; null = it begins. */
  refusal(session: number): QuotaSessionEnd['limit'] | null {
    const account = this.#state();
    if (account === undefined || this.#isVouched) return null;
    if (isAccountUsedUp(account)) return this.#limit(account);
    if (this.#isWoken) return null;
    const { use } = readQuotaContext(account);
    if (use === null || session > 1 || computeUsedShare(use, this.#deps.now()) < MOST_USE)
      return null;
    const { window, resetsAt } = use;
    return { resetsAt, quota: { kind: 'exhausted', window }, ...this.#toPoolMember() };
  }

  /** The limit that ends a running session; null = none. */
  findLimit(): QuotaSessionEnd['limit'] | null {
    const account = this.#state();
    return account !== undefined && mustEndSessions(account) ? this.#limit(account) : null;
  }

  /** Takes the executor's events, in order. */
  onEvent(event: SessionEvent): void {
    const { type } = event;
    if (type === 'limits') this.#see(event);
    if (type === 'token' || type === 'thinking' || type === 'tool' || type === 'usage')
      this.#reportAnswer();
    const isBoundary = type === 'usage' || (type === 'tool' && event.at === 'end');
    const account = isBoundary && !this.#isVouched ? this.#state() : undefined;
    if (account && mustEndSessions(account)) this.#cut.abort();
  }

  /** The session has ended by itself. */
  end(result: SessionResult): QuotaSessionEnd {
    const { stopReason, resetsAt = null, quota = UNKNOWN, error, fault = 'unknown' } = result;
    const id = this.#id;
    const account = this.#state();
    if (stopReason !== 'quota') {
      const hasFailed =
        (stopReason === 'error' || stopReason === 'died') &&
        SESSION_FAULTS[fault].ofAccount &&
        this.#isNew;
      if (hasFailed && id !== null && account && this.#job !== null)
        return this.#reportFailure(id, account, stopReason, {
          job: this.#job,
          error: error ?? 'its process was killed',
        });
      if (stopReason === 'end_turn' || stopReason === 'pause_turn') this.#reportSuccess(account);
      return { limit: {}, stopReason, sends: [], warning: null };
    }
    const rest = { stopReason, warning: null };
    if (id === null || account === undefined)
      return { ...rest, limit: { resetsAt, quota }, sends: [] };
    const hit: QuotaHit = { ...quota, resetsAt };
    const { until } = closeAfterHit(account, hit, this.#deps.now());
    const event = { type: 'quota.hit', ...hit, chance: this.#deps.chance() };
    return { ...rest, limit: { resetsAt: until, quota, pool: id }, sends: [{ to: id, event }] };
  }

  /** The account has ended it. */
  endByAccount(): QuotaSessionEnd['limit'] {
    const account = this.#state();
    return account === undefined
      ? { resetsAt: null, ...this.#toPoolMember() }
      : this.#limit(account);
  }

  /** An error this early cannot be the end of work. */
  get #isNew(): boolean {
    return this.#deps.now() - this.#began < START_MS;
  }

  /** It failed at once; its job waits if the account closes for that. */
  #reportFailure(
    id: string,
    account: ActorState,
    stopReason: SessionResult['stopReason'],
    by: Pick<QuotaFailure, 'job' | 'error'>,
  ): QuotaSessionEnd {
    const { warn, park } = this.#deps.starts();
    const failure: QuotaFailure = { ...by, park };
    const { count, closed } = decideAfterFailure(account, failure, this.#deps.now());
    const event = { type: 'quota.failed', ...failure, chance: this.#deps.chance() };
    const sends = [{ to: id, event }];
    if (closed !== null) {
      const { kind, window, until } = closed;
      const limit = { resetsAt: until, quota: { kind, window }, pool: id };
      return { limit, stopReason: 'quota', sends, warning: null };
    }
    const warning = count === warn ? describeFailedStarts(id, count, park) : null;
    return { limit: {}, stopReason, sends, warning };
  }

  /** The account works again, whatever failed before. */
  #reportSuccess(account: ActorState | undefined): void {
    this.#reportAnswer(true);
    if (account && readQuotaContext(account).failing !== undefined)
      this.#tell({ type: 'quota.worked' });
  }

  #limit(account: ActorState): QuotaSessionEnd['limit'] {
    const { closed } = readQuotaContext(account);
    const { kind, window, until } = closed ?? { ...UNKNOWN, until: this.#deps.now() };
    return { resetsAt: until, quota: { kind, window }, ...this.#toPoolMember() };
  }

  #toPoolMember(): { pool?: string } {
    return this.#id === null ? {} : { pool: this.#id };
  }

  #state(): ActorState | undefined {
    return this.#id === null ? undefined : this.#deps.kernel.state(this.#id);
  }

  /** Sent once: the account's known limit is over by then. */
  #reportAnswer(isEnd = false): void {
    const account = this.#hasAnswered ? undefined : this.#state();
    // Agents also report a refused login in words, so a failing account is only trusted at the end
    // of the session.
    if (account && readQuotaContext(account).closed?.kind === 'failing' && this.#isNew && !isEnd)
      return;
    this.#hasAnswered = true;
    if (account && account.value !== 'open') this.#tell({ type: 'quota.answered' });
  }

  #see({ used, window, resetsAt }: Extract<SessionEvent, { type: 'limits' }>): void {
    const { now, chance } = this.#deps;
    const bounds = countReachedBounds(used);
    const isKnown = now() - this.#seen.at < SEEN_EVERY_MS && bounds === this.#seen.bounds;
    // An invalid number says nothing.
    if (this.#id === null || isKnown || !(used >= 0 && used < Number.POSITIVE_INFINITY)) return;
    this.#seen = { at: now(), bounds };
    this.#tell({ type: 'quota.seen', used, window, resetsAt, chance: chance() });
  }

  #tell(event: Send['event']): void {
    if (this.#id === null) return;
    this.#deps.kernel
      .submit({ sends: [{ to: this.#id, event }] })
      .catch((error: unknown) => this.#deps.onError(error));
  }
}

const describeFailedStarts = (accountId: string, count: number, park: number): string =>
  `warned: ${count} sessions of ${accountId} have ended one after another within ${START_MS / 1_000} s with an error${park > 0 ? `; at ${park}, of more than one job, all jobs of the account wait` : ''}`;
