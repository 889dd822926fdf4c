import type { Stop } from '../../policy/budgets/budgetDeps.ts';
import type { Budgets } from '../../policy/budgets/budgets.ts';
import type { Session } from '../../contract/session/executor.ts';
import type { Clock } from '../../base/time/clock.ts';

interface BudgetDeps {
  budgets: Pick<
    Budgets,
    'begin' | 'findStopAfterCall' | 'warnings' | 'timeLeft' | 'findStopByTime'
  >;
  clock: Clock;
  warn(text: string): Promise<void>;
  /** Time between asking a session to end and killing it, ms. */
  graceMs: number;
}

/**
 * The budgets of one run of a session: it begins only if enough is left, and ends after the call,
 * or in the minute, that uses one of them up.
 */
export class SessionBudget {
  readonly #jobId: string;
  readonly #deps: BudgetDeps;
  #stop: Stop | null = null;
  #live: Session | null = null;
  #cancelTimer = () => {};
  /** When the ledger was last written, or the session began: epoch ms. */
  #since: number;

  constructor(jobId: string, deps: BudgetDeps) {
    this.#jobId = jobId;
    this.#deps = deps;
    this.#since = deps.clock.now();
  }

  /** Why the session has to end or may not begin; null = no budget is exhausted. */
  get stop(): Stop | null {
    return this.#stop;
  }

  async begins(): Promise<boolean> {
    this.#stop = await this.#deps.budgets.begin(this.#jobId);
    this.#since = this.#deps.clock.now();
    return this.#stop === null;
  }

  /** Allows ending the session from now on. */
  watch(live: Session): void {
    this.#live = live;
    if (this.#stop) this.#end();
    else this.#setTimer();
  }

  /** Called when a call is in the ledger; resolves when it is known whether another may follow. */
  async checkAfterCall(): Promise<void> {
    this.#since = this.#deps.clock.now();
    if (this.#stop) return;
    const stop = await this.#deps.budgets.findStopAfterCall(this.#jobId);
    if (stop === null) {
      for (const text of await this.#deps.budgets.warnings(this.#jobId))
        await this.#deps.warn(text);
      return;
    }
    this.#stop = stop;
    this.#end();
  }

  end(): void {
    this.#cancelTimer();
  }

  #end(): void {
    this.#cancelTimer();
    void this.#live?.end(this.#deps.graceMs);
  }

  #setTimer(): void {
    const { budgets, clock } = this.#deps;
    const remainingMs = budgets.timeLeft(this.#jobId);
    if (remainingMs === null) return;
    const due = Math.max(this.#since + remainingMs, clock.now() + LEAST_WAIT_MS);
    this.#cancelTimer = clock.at(due, () => {
      const stop = budgets.findStopByTime(this.#jobId, clock.now() - this.#since);
      if (stop === null) this.#setTimer();
      else {
        this.#stop = stop;
        this.#end();
      }
    });
  }
}

/** Shortest time until minutes are counted again, ms: a cap may have been raised. */
const LEAST_WAIT_MS = 1_000;
