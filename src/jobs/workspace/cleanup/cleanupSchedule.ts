import { toIsoTime, toIsoTimeOrNull } from '../../../base/time/toIsoTime.ts';
import type { RowReader } from '../../../contract/records/rowReader.ts';
import type { Clock } from '../../../base/time/clock.ts';
import { toErrorMessage } from '../../../base/errors/errors.ts';
import type { Log } from '../../../base/system/log/log.ts';
import type { TaskLock } from '../../../base/concurrency/taskLock.ts';
import type { RowChange } from '../../../contract/records/changes.ts';
import type { GcReply, GcRun, GcSchedule } from '../../../contract/schema/runner/gc.ts';
import type { Settings } from '../../../contract/schema/runner/settings.ts';
import type { Collector } from './collector.ts';

/** Earliest run after the start or after the schedule was switched on: 10 minutes. */
const FIRST_MS = 600_000;
/** Wait before a run that could not begin is tried again: 5 minutes. */
const AGAIN_MS = 300_000;
/** How long a stop waits for the current step; killing it loses nothing. */
const STOP_MS = 5_000;
const MAX_LEFT = 100;

export interface CleanupScheduleDeps {
  /** Read again at each change. */
  settings: Pick<Settings, 'retention'>;
  rows: Pick<RowReader, 'all'>;
  writeRows(changes: RowChange[]): Promise<void>;
  clock: Clock;
  log: Log;
  upkeep: Pick<TaskLock, 'current'>;
  collector: Pick<Collector, 'collect'>;
}

/**
 * Cleans up at intervals, counted from the start of the last run of any runner. An overdue run
 * starts ten minutes after the runner.
 */
export class CleanupSchedule {
  readonly #deps: CleanupScheduleDeps;
  #cancel: () => void = () => {};
  #nextAt: number | null = null;
  /** Earliest time of the next run, epoch ms; null = not started, or stopped. */
  #earliest: number | null = null;
  #isOn = false;
  #stopping = new AbortController();
  #running: Promise<void> | null = null;

  constructor(deps: CleanupScheduleDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#earliest = this.#deps.clock.now() + FIRST_MS;
    this.settingsChanged();
  }

  /** Plans the next run again, since the settings may have changed. */
  settingsChanged(): void {
    const { settings, clock } = this.#deps;
    if (this.#earliest === null || this.#running) return;
    const { everyMs } = settings.retention;
    this.#cancel();
    this.#nextAt = null;
    if (everyMs !== null && !this.#isOn)
      this.#earliest = Math.max(this.#earliest, clock.now() + FIRST_MS);
    this.#isOn = everyMs !== null;
    if (everyMs === null) return;
    const [last] = this.#runs(1);
    const due = last === undefined ? 0 : last.at + everyMs;
    this.#plan(Math.max(due, this.#earliest));
  }

  /** Ends a run after its current step, and waits for that, 5 s at most. */
  async stop(): Promise<void> {
    this.#earliest = null;
    this.#cancel();
    this.#nextAt = null;
    this.#stopping.abort();
    const { clock } = this.#deps;
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = clock.at(clock.now() + STOP_MS, resolve);
    });
    if (this.#running) await Promise.race([this.#running, late]);
    cancel();
  }

  view(): GcSchedule {
    return {
      everyMs: this.#deps.settings.retention.everyMs,
      nextAt: toIsoTimeOrNull(this.#nextAt),
      runs: this.#runs(50).map(({ reply }): GcRun => JSON.parse(reply)),
    };
  }

  #runs(limit: number) {
    return this.#deps.rows.all('retention_runs', {}, { order: 'at', desc: true, limit });
  }

  #plan(at: number): void {
    this.#nextAt = at;
    this.#cancel = this.#deps.clock.at(at, () => this.#begin());
  }

  #begin(): void {
    const { clock, upkeep } = this.#deps;
    if (upkeep.current !== null) {
      this.#plan(clock.now() + AGAIN_MS);
      return;
    }
    this.#nextAt = null;
    this.#running = this.#run()
      .catch((err: unknown) => this.#deps.log.error({ err }, 'a scheduled cleanup failed'))
      .finally(() => {
        this.#running = null;
        this.settingsChanged();
      });
  }

  async #run(): Promise<void> {
    const { clock, collector, log, writeRows } = this.#deps;
    const startedAt = clock.now();
    const { signal } = this.#stopping;
    const parts: GcReply[] = [];
    let problem: string | null = null;
    try {
      let next: string | null = null;
      do {
        const part: GcReply = await collector.collect(next === null ? {} : { after: next }, signal);
        parts.push(part);
        next = part.next;
      } while (next !== null && !signal.aborted);
      if (next !== null) problem = 'the runner was stopped';
    } catch (error) {
      problem = toErrorMessage(error);
    }
    const run = toCleanupRun(parts, toIsoTime(startedAt), toIsoTime(clock.now()), problem);
    const { removed, kept, leftCount, freed } = run;
    log.info({ removed, kept, left: leftCount, freed, problem }, describeCleanupRun(run));
    await writeRows([
      {
        op: 'put',
        table: 'retention_runs',
        row: { at: startedAt, reply: JSON.stringify(run) },
      },
    ]);
  }
}

function toCleanupRun(
  parts: readonly GcReply[],
  startedAt: string,
  endedAt: string,
  problem: string | null,
): GcRun {
  const totals: GcRun['removed'] = {};
  for (const { kind, bytes } of parts.flatMap((part) => part.removed)) {
    const total = totals[kind] ?? { items: 0, bytes: 0 };
    totals[kind] = { items: total.items + 1, bytes: total.bytes + bytes };
  }
  const remaining = parts.flatMap((part) => part.left);
  return {
    startedAt,
    endedAt,
    removed: totals,
    kept: parts.reduce((sum, part) => sum + part.kept.length, 0),
    left: remaining.slice(0, MAX_LEFT),
    leftCount: remaining.length,
    freed: parts.reduce((sum, part) => sum + part.freed, 0),
    problem,
  };
}

function describeCleanupRun({ removed, freed }: GcRun): string {
  const kinds = Object.entries(removed).map(
    ([kind, { items, bytes }]) => `${items} ${kind} (${bytes} bytes)`,
  );
  const what = kinds.length === 0 ? 'nothing to remove' : kinds.join(', ');
  return `scheduled cleanup: ${what}; state.db is smaller by ${freed} bytes`;
}
