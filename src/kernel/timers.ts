import { KernelError, type KernelClock } from './contract.ts';
import type { Report, Submit } from './work.ts';
import type { DurableStore, TimerRow } from './writer.ts';

const FIRE_LIMIT = 100;
/** Wait before unwritten firings are retried, ms. */
const AGAIN_MS = 1_000;

const toDueTimerKey = ({ actor, name, due }: TimerRow) => JSON.stringify([actor, name, due]);

/** Fires durable timers. Only the earliest has an alarm; the rest are rows. */
export class Timers {
  readonly #store: DurableStore;
  readonly #clock: KernelClock;
  readonly #submit: Submit;
  readonly #report: Report;
  /** Timers of actors that this release cannot read; they stay for a later one. */
  readonly #stuck = new Set<string>();
  #alarm: { due: number; cancel: () => void } | undefined;
  #firing = false;
  #stopped = false;

  constructor(store: DurableStore, clock: KernelClock, submit: Submit, report: Report) {
    this.#store = store;
    this.#clock = clock;
    this.#submit = submit;
    this.#report = report;
  }

  set(rows: readonly TimerRow[]): void {
    for (const { due } of rows) this.#arm(due);
  }

  stop(): void {
    this.#stopped = true;
    this.#alarm?.cancel();
  }

  /** Fires all due timers and sets the alarm for the next. */
  async fire(): Promise<void> {
    if (this.#firing || this.#stopped) return;
    this.#firing = true;
    let next: number | undefined;
    try {
      next = await this.#fireDue();
    } catch (error) {
      this.#report('timers', error);
      next = this.#clock.now() + AGAIN_MS;
    }
    this.#firing = false;
    if (next !== undefined) this.#arm(next);
  }

  async #fireDue(): Promise<number | undefined> {
    for (;;) {
      const rows = this.#store
        .timers(FIRE_LIMIT + this.#stuck.size)
        .filter((row) => !this.#stuck.has(toDueTimerKey(row)));
      const due = rows.filter((row) => row.due <= this.#clock.now());
      if (this.#stopped || due.length === 0) return rows[0]?.due;
      const results = await Promise.allSettled(
        due.map((row) =>
          this.#submit({ timer: row, sends: [{ to: row.actor, event: row.event }] }),
        ),
      );
      for (const [index, outcome] of results.entries()) {
        const row = due[index];
        if (outcome.status === 'fulfilled' || !row) continue;
        const code = outcome.reason instanceof KernelError ? outcome.reason.code : '';
        this.#report(`timer ${row.name} of ${row.actor}`, outcome.reason);
        if (code === 'commit-failed' || code === 'stopping') return this.#clock.now() + AGAIN_MS;
        if (code === 'snapshot-unreadable' || code === 'unknown-chart')
          this.#stuck.add(toDueTimerKey(row));
      }
    }
  }

  #arm(due: number): void {
    if (this.#stopped || this.#firing || (this.#alarm && this.#alarm.due <= due)) return;
    this.#alarm?.cancel();
    const cancel = this.#clock.at(due, () => {
      this.#alarm = undefined;
      void this.fire();
    });
    this.#alarm = { due, cancel };
  }
}
