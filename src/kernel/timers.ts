import { KernelError, type KernelClock } from './contract.ts';
import { SetBack } from './setBack.ts';
import type { Report, Submit } from './work.ts';
import type { DurableStore, TimerRow } from './writer.ts';

const FIRE_LIMIT = 100;
/** Most timers that are read while the time of day is set back: those due earlier can be later rows. */
const SET_BACK_LIMIT = 10_000;
/** Wait before unwritten firings are retried, ms. */
const AGAIN_MS = 1_000;

const toDueTimerKey = ({ actor, name, due }: TimerRow) => JSON.stringify([actor, name, due]);

/** Fires durable timers. Only the earliest has an alarm; the rest are rows. */
export class Timers {
  readonly #store: Pick<DurableStore, 'timers'>;
  readonly #clock: KernelClock;
  readonly #submit: Submit;
  readonly #report: Report;
  /** Timers of actors that this release cannot read; they stay for a later one. */
  readonly #stuck = new Set<string>();
  readonly #durations: ReadonlySet<string>;
  readonly #setBack: SetBack;
  /** Of timers that were set since: how far the time of day was set back before, ms. */
  #setLater = new Map<string, number>();
  #alarm: { due: number; cancel: () => void } | undefined;
  #firing = false;
  #stopped = false;

  constructor(
    store: Pick<DurableStore, 'timers'>,
    clock: KernelClock,
    submit: Submit,
    report: Report,
    durations: ReadonlySet<string> = new Set(),
  ) {
    this.#durations = durations;
    this.#setBack = new SetBack(clock);
    this.#store = store;
    this.#clock = clock;
    this.#submit = submit;
    this.#report = report;
  }

  set(rows: readonly TimerRow[]): void {
    const back = this.#setBack.measure();
    if (back === 0) {
      for (const { due } of rows) this.#arm(due);
      return;
    }
    for (const row of rows)
      if (this.#durations.has(row.name)) this.#setLater.set(toDueTimerKey(row), back);
    void this.fire();
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
      const rows = this.#listNext();
      const due = rows
        .filter((one) => one.dueNow <= this.#clock.now())
        .slice(0, FIRE_LIMIT)
        .map(({ row }) => row);
      if (this.#stopped || due.length === 0) return rows[0]?.dueNow;
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

  /** The next timers by the time at which they are due as the time of day is now. */
  #listNext(): { row: TimerRow; dueNow: number }[] {
    const back = this.#setBack.measure();
    const limit = back === 0 ? FIRE_LIMIT : SET_BACK_LIMIT;
    const rows = this.#store
      .timers(limit + this.#stuck.size)
      .filter((row) => !this.#stuck.has(toDueTimerKey(row)));
    if (back === 0) return rows.map((row) => ({ row, dueNow: row.due }));
    const later = new Map<string, number>();
    const next = rows.map((row) => {
      if (!this.#durations.has(row.name)) return { row, dueNow: row.due };
      const key = toDueTimerKey(row);
      const before = this.#setLater.get(key) ?? 0;
      if (before > 0) later.set(key, before);
      return { row, dueNow: row.due - Math.max(0, back - before) };
    });
    // Those that have fired, or were cancelled, are forgotten.
    if (rows.length < limit) this.#setLater = later;
    return next.sort((a, b) => a.dueNow - b.dueNow);
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
