import {
  closedAfter,
  endsSessions,
  HEADLESS_USE,
  isUsedUp,
  type JobContext,
  MOST_USE,
  poolOfState,
  quotaChart,
  usedAt,
} from '../../machines/index.ts';
import type { SessionEvent, SessionResult } from '../contract/executor.ts';
import type { QuotaHit } from '../domain/quotaKinds.ts';
import type { ActorState } from '../durable/chart.ts';
import type { Send } from '../durable/contract.ts';
import type { Kernel } from '../records/changes.ts';

/** Least time between two reports of how full an account is, as long as it decides the same, ms. */
const SEEN_EVERY_MS = 60_000;

/** How many of the bounds above which something no longer starts are reached. */
const boundsAt = (used: number): number => [HEADLESS_USE, MOST_USE].filter((b) => used >= b).length;

export interface PoolSessionDeps {
  kernel: Pick<Kernel, 'submit' | 'state'>;
  /** Epoch ms. */
  now(): number;
  /** At least 0, below 1. */
  chance(): number;
  onError(error: unknown): void;
}

/** What the end of a session says about its pool. */
export interface PoolEnd {
  /** For `session.ended`. */
  limit: { resetsAt?: number | null; quota?: Pick<QuotaHit, 'kind' | 'window'>; pool?: string };
  /** For the commit of the session's end, before the end itself. */
  sends: Send[];
}

const UNKNOWN: Pick<QuotaHit, 'kind' | 'window'> = { kind: 'exhausted', window: null };

/** One session as a user of its credential pool. */
export class PoolSession {
  readonly #deps: PoolSessionDeps;
  readonly #id: string | null;
  readonly #admitted: boolean;
  readonly #cut = new AbortController();
  #hasAnswered = false;
  #seen = { at: Number.NEGATIVE_INFINITY, bounds: 0 };

  /** `pool`: its id; null = it is not known, and nothing is reported. */
  constructor(deps: PoolSessionDeps, pool: string | null, job: Pick<JobContext, 'admitted'>) {
    this.#deps = deps;
    this.#id = pool;
    this.#admitted = job.admitted === true;
  }

  /** Aborted when the pool wants the session to end. */
  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  /** The pool's actor exists when this has resolved. */
  async enter(): Promise<void> {
    const pool = this.#id;
    if (pool === null || this.#state() !== undefined) return;
    const input = { pool, createdAt: this.#deps.now() };
    await this.#deps.kernel.submit({ starts: [{ chart: quotaChart.id, id: pool, input }] });
  }

  /** How the session ends before it begins, where its pool takes none; null = it begins. */
  refusal(session: number): PoolEnd['limit'] | null {
    const pool = this.#state();
    if (pool === undefined || this.#admitted) return null;
    if (isUsedUp(pool)) return this.#limit(pool);
    const { use } = poolOfState(pool);
    if (use === null || session > 1 || usedAt(use, this.#deps.now()) < MOST_USE) return null;
    const { window, resetsAt } = use;
    return { resetsAt, quota: { kind: 'exhausted', window }, ...this.#named() };
  }

  /** The limit that ends what runs; null = none does. */
  closed(): PoolEnd['limit'] | null {
    const pool = this.#state();
    return pool !== undefined && endsSessions(pool) ? this.#limit(pool) : null;
  }

  /** Takes what the executor tells, in order. */
  onEvent(event: SessionEvent): void {
    const { type } = event;
    if (type === 'limits') this.#see(event);
    if (type === 'token' || type === 'thinking' || type === 'tool' || type === 'usage')
      this.#answered();
    const isBoundary = type === 'usage' || (type === 'tool' && event.at === 'end');
    const pool = isBoundary && !this.#admitted ? this.#state() : undefined;
    if (pool && endsSessions(pool)) this.#cut.abort();
  }

  /** The session has ended by itself. */
  end({ stopReason, resetsAt = null, quota = UNKNOWN }: SessionResult): PoolEnd {
    const id = this.#id;
    if (stopReason !== 'quota') {
      if (stopReason === 'end_turn' || stopReason === 'pause_turn') this.#answered();
      return { limit: {}, sends: [] };
    }
    const pool = this.#state();
    if (id === null || pool === undefined) return { limit: { resetsAt, quota }, sends: [] };
    const hit: QuotaHit = { ...quota, resetsAt };
    const { until } = closedAfter(pool, hit, this.#deps.now());
    const event = { type: 'quota.hit', ...hit, chance: this.#deps.chance() };
    return { limit: { resetsAt: until, quota, pool: id }, sends: [{ to: id, event }] };
  }

  /** The pool has ended it. */
  ended(): PoolEnd['limit'] {
    const pool = this.#state();
    return pool === undefined ? { resetsAt: null, ...this.#named() } : this.#limit(pool);
  }

  #limit(pool: ActorState): PoolEnd['limit'] {
    const { closed } = poolOfState(pool);
    const { kind, window, until } = closed ?? { ...UNKNOWN, until: this.#deps.now() };
    return { resetsAt: until, quota: { kind, window }, ...this.#named() };
  }

  #named(): { pool?: string } {
    return this.#id === null ? {} : { pool: this.#id };
  }

  #state(): ActorState | undefined {
    return this.#id === null ? undefined : this.#deps.kernel.state(this.#id);
  }

  /** Said once: by then the limit that the pool knows of is over. */
  #answered(): void {
    const pool = this.#hasAnswered ? undefined : this.#state();
    this.#hasAnswered = true;
    if (pool && pool.value !== 'open') this.#tell({ type: 'quota.answered' });
  }

  #see({ used, window, resetsAt }: Extract<SessionEvent, { type: 'limits' }>): void {
    const { now, chance } = this.#deps;
    const bounds = boundsAt(used);
    const isKnown = now() - this.#seen.at < SEEN_EVERY_MS && bounds === this.#seen.bounds;
    if (this.#id === null || isKnown) return;
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
