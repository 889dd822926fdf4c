import { findErrorCode } from '../base/errors/findErrorCode.ts';
import type { DurableChart, GivenUpEffect } from './chart.ts';
import { KernelError, type KernelClock } from './contract.ts';
import type { HotActors } from './hotActors.ts';
import type { EffectOutcome, EffectRun, Port, Ports } from './port.ts';
import { isRowsRefused } from './stripRefusedRows.ts';
import { type Report, type Submit, readThrownMessage, type Work } from './work.ts';
import type { OutboxRow } from './writer.ts';

export interface OutboxScope {
  ports: Ports;
  hot: HotActors;
  clock: KernelClock;
  retryMs: readonly number[];
  /** Waits before a port that threw is rerun; `code`: that of the error, if any. */
  getRetryDelays(type: string, code: string | undefined): readonly number[];
  submit: Submit;
  report: Report;
}

interface Pending {
  row: OutboxRow;
  /** How often the port threw since this kernel started. */
  failures: number;
  recovered: boolean;
  /** Made when it is asked for: most effects end before they could be aborted. */
  aborted?: AbortController;
  over: Promise<void>;
}

/** A class, since V8 builds an object whose literal has an accessor in 1.6 KB and slowly. */
class PendingRun implements EffectRun {
  readonly effectId: string;
  readonly actorId: string;
  readonly attempt: number;
  readonly recovered: boolean;
  readonly #getSignal: () => AbortSignal;

  constructor({ row, failures, recovered }: Pending, getSignal: () => AbortSignal) {
    this.effectId = row.effectId;
    this.actorId = row.actor;
    this.attempt = row.attempt + failures;
    this.recovered = recovered;
    this.#getSignal = getSignal;
  }

  get signal(): AbortSignal {
    return this.#getSignal();
  }
}

type Failure = Pick<GivenUpEffect, 'error' | 'code' | 'why'>;

/** Wait between attempts to write an outcome when `retryMs` is empty, ms. */
const STORE_RETRY_MS = 1_000;

/** The outcome as work, all in the commit that removes the effect's row. */
function toOutcomeWork(row: OutboxRow, outcome: EffectOutcome): Work {
  const own = (outcome.events ?? []).map((event) => ({ to: row.actor, event }));
  return {
    sends: [...own, ...(outcome.sends ?? [])],
    rows: outcome.rows ?? [],
    frames: (outcome.frames ?? []).map((frame) => ({ actor: row.actor, frame })),
    effectDone: row.effectId,
  };
}

/** Tells the chart that an effect was given up, in the commit that removes its row. */
function toGivenUpWork(chart: DurableChart, row: OutboxRow, failure: Failure): Work {
  const { effectId, type, params, attempt } = row;
  return toOutcomeWork(row, {
    events: [chart.createGivenUpEvent({ effectId, type, params, attempts: attempt, ...failure })],
  });
}

const createStopReason = (): Error => new Error('the kernel is stopping');

export class Outbox {
  readonly #scope: OutboxScope;
  readonly #pending = new Map<string, Pending>();
  #stopped = false;

  constructor(scope: OutboxScope) {
    this.#scope = scope;
  }

  /** Starts a committed effect. After `abort` it only remembers the row. */
  begin(row: OutboxRow, recovered: boolean): void {
    const pending: Pending = {
      row,
      failures: 0,
      recovered,
      over: Promise.resolve(),
    };
    this.#pending.set(row.effectId, pending);
    if (this.#stopped) return;
    pending.over = this.#carryOut(pending).catch((error) =>
      this.#scope.report(`effect ${row.effectId}`, error),
    );
  }

  /** Tells the chart of an effect used up by restarts; retries until that is written. */
  giveUp(row: OutboxRow, error: string): void {
    const pending: Pending = {
      row,
      failures: 0,
      recovered: true,
      over: Promise.resolve(),
    };
    this.#pending.set(row.effectId, pending);
    pending.over = this.#giveUp(pending, { error, why: 'restarts-without-progress' }).catch(
      (failure) => this.#scope.report(`giving up effect ${row.effectId}`, failure),
    );
  }

  /** The rows are gone from the store; nothing may write them again. */
  forget(effectIds: readonly string[]): void {
    for (const id of effectIds) this.#pending.delete(id);
  }

  /** Rows of effects that are not done. */
  rows(): OutboxRow[] {
    return [...this.#pending.values()].map(({ row }) => row);
  }

  abort(): void {
    this.#stopped = true;
    for (const { aborted } of this.#pending.values()) aborted?.abort(createStopReason());
  }

  async awaitEnd(): Promise<void> {
    await Promise.all([...this.#pending.values()].map(({ over }) => over));
  }

  async #carryOut(pending: Pending): Promise<void> {
    for (let failures = 0; ; failures++) {
      let work: Work;
      try {
        const outcome = await this.#run(pending);
        work = toOutcomeWork(pending.row, outcome ?? {});
      } catch (error) {
        // An aborted effect stays pending, whatever its port answers.
        if (this.#stopped) return;
        const code = findErrorCode(error);
        const wait = this.#scope.getRetryDelays(pending.row.type, code)[failures];
        if (wait === undefined) {
          const failure: Failure = { error: readThrownMessage(error), why: 'port-failed' };
          return this.#giveUp(pending, code === undefined ? failure : { ...failure, code });
        }
        await this.#pause(pending, wait);
        if (this.#stopped) return;
        // Not stored: only starts without progress count across restarts.
        pending.failures = failures + 1;
        continue;
      }
      if (this.#stopped) return;
      const failure = await this.#conclude(pending, work);
      if (failure) await this.#giveUp(pending, { error: failure, why: 'outcome-not-stored' });
      return;
    }
  }

  #getSignal(pending: Pending): AbortSignal {
    if (pending.aborted === undefined) {
      pending.aborted = new AbortController();
      if (this.#stopped) pending.aborted.abort(createStopReason());
    }
    return pending.aborted.signal;
  }

  async #run(pending: Pending): Promise<EffectOutcome | undefined> {
    const { row } = pending;
    const port = this.#scope.ports[row.type] as Port<unknown> | undefined;
    if (!port) throw new Error(`there is no port for the effect ${row.type}`);
    const run = new PendingRun(pending, () => this.#getSignal(pending));
    return (await port(row.params, run)) ?? undefined;
  }

  /**
   * Commits an outcome. If the store fails, retries for `retryMs`, then returns the failure's text:
   * the store may refuse only this outcome.
   */
  async #conclude(pending: Pending, work: Work): Promise<string | undefined> {
    const { retryMs, submit, report } = this.#scope;
    for (let failures = 0; ; failures++) {
      try {
        await submit(failures === 0 ? work : { ...work, again: true });
      } catch (error) {
        if (error instanceof KernelError && error.code === 'commit-failed') {
          const wait = retryMs[failures];
          if (wait === undefined) return error.message;
          await this.#pause(pending, wait);
          if (this.#stopped) return undefined;
          continue;
        }
        report(`outcome of effect ${pending.row.effectId}`, error);
        // The effect is not done: its chart gets something that the store accepts.
        if (error instanceof KernelError && isRowsRefused(error)) return error.message;
        // Most errors lie in an event of the outcome, and the effect is done all the same. If the
        // actor cannot be read, the row stays for a later release.
      }
      return undefined;
    }
  }

  async #giveUp(pending: Pending, failure: Failure): Promise<void> {
    const { row, failures } = pending;
    const retry = { ...row, attempt: row.attempt + failures };
    const work = toGivenUpWork(this.#scope.hot.known(row.actor).chart, retry, failure);
    while (!this.#stopped) {
      if ((await this.#conclude(pending, work)) === undefined) return;
      await this.#pause(pending, this.#scope.retryMs.at(-1) ?? STORE_RETRY_MS);
    }
  }

  #pause(pending: Pending, ms: number): Promise<void> {
    const signal = this.#getSignal(pending);
    return new Promise((resolve) => {
      const cancel = this.#scope.clock.at(this.#scope.clock.now() + ms, () => {
        // One effect may pause for as long as the runner runs.
        signal.removeEventListener('abort', stop);
        resolve();
      });
      const stop = () => {
        cancel();
        resolve();
      };
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}
