import type { JobContext } from '../../../machines/index.ts';
import { SvcError } from '../../base/errors/errors.ts';
import { MAX_SNOOZE_DAYS } from '../../base/limits/jobLimits.ts';
import type { Clock } from '../../base/time/clock.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import type { KernelUse, RowChange } from '../../contract/records/changes.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import type { LogFrame } from '../../contract/schema/job/frames.ts';
import type { JobSummary } from '../../contract/schema/job/job.ts';
import type { ActorState } from '../../kernel/chart.ts';
import { translateKernelErrors } from './refusals.ts';
import type { Requests } from './requests.ts';

const DAY_MS = 86_400_000;
/** Wait before what could not be written is tried again, ms. */
const RETRY_MS = 60_000;
/** Most snoozes that end in one commit. */
const MOST_AT_ONCE = 200;

interface SnoozeDeps {
  kernel: Pick<KernelUse, 'submit'>;
  requests: Requests;
  rows: RowReader;
  clock: Clock;
  readState(jobId: string): ActorState<JobContext>;
  summary(jobId: string): JobSummary;
  /** Notifies watchers of the list, since a snooze is not a step of the job. */
  notifyChanged(ids: readonly string[]): void;
  onError(error: unknown): void;
}

type Snooze = Tables['snoozes'];

/** Puts the ask of a job aside or back, if it is still this one. */
const putAside = (
  { job_id, ask, since }: Pick<Snooze, 'job_id' | 'ask' | 'since'>,
  at: number | null,
): RowChange => ({
  op: 'patch',
  table: 'job_list',
  key: { job_id, ask, since },
  set: { dismissed_at: at },
});
const dropSnooze = (jobId: string): RowChange => ({
  op: 'drop',
  table: 'snoozes',
  key: { job_id: jobId },
});

/**
 * Puts off what jobs need a person for: until then it counts as dismissed. A change of what the job
 * asks ends that at once, the time ends it while a runner has the home.
 */
export class Snoozes {
  readonly #deps: SnoozeDeps;
  #cancelTimer = () => {};
  #isOver = false;

  constructor(deps: SnoozeDeps) {
    this.#deps = deps;
  }

  /** Ends those whose time has come meanwhile, and from now on each at its time. */
  start(): void {
    this.#wakeAtNext();
  }

  stop(): void {
    this.#isOver = true;
    this.#cancelTimer();
  }

  readonly facade: Pick<Runner, 'snooze' | 'unsnooze'> = {
    snooze: (id, { until }, asker) =>
      this.#change(id, asker, (now) => {
        const at = Date.parse(until);
        if (!(at > now && at <= now + MAX_SNOOZE_DAYS * DAY_MS))
          throw new SvcError(
            'bad-argument',
            `A job can be snoozed until a time in the future, at most ${MAX_SNOOZE_DAYS} days ahead; ${until} is not.`,
          );
        const { ask, since, dismissed_at } = this.#readRow(id);
        if (ask === null || (dismissed_at !== null && this.#find(id) === undefined))
          throw new SvcError('not-possible-now', `${id} needs no one, so it cannot be snoozed.`);
        const row = { job_id: id, ask, since, until: at };
        return {
          line: `Snoozed until ${toIsoTime(at)}`,
          rows: [{ op: 'put', table: 'snoozes', row }, putAside(row, now)],
        };
      }),
    unsnooze: (id, asker) =>
      this.#change(id, asker, () => {
        const snoozeRow = this.#find(id);
        if (snoozeRow === undefined)
          throw new SvcError('not-possible-now', `${id} is not snoozed.`);
        return { line: 'No longer snoozed', rows: [dropSnooze(id), putAside(snoozeRow, null)] };
      }),
  };

  #readRow(id: string): Tables['job_list'] {
    const [row] = this.#deps.rows.all('job_list', { job_id: id });
    if (row === undefined) throw new SvcError('not-found', `Job ${id} does not exist.`);
    return row;
  }

  /** The snooze of what the job asks now. */
  #find(id: string): Snooze | undefined {
    const { ask, since } = this.#readRow(id);
    return ask === null
      ? undefined
      : this.#deps.rows.all('snoozes', { job_id: id, ask, since }, { limit: 1 })[0];
  }

  #change(
    id: string,
    { by, person = by, requestKey }: Parameters<Runner['unsnooze']>[1],
    decide: (now: number) => { line: string; rows: RowChange[] },
  ): Promise<JobSummary> {
    const { kernel, requests, clock, readState, summary, notifyChanged: changed } = this.#deps;
    const { phase, visit } = readState(id).context;
    return requests.runOnce(
      requestKey,
      () => summary(id),
      (scope) =>
        translateKernelErrors(id, async () => {
          const now = clock.now();
          const { line, rows } = decide(now);
          const data: LogFrame = {
            at: toIsoTime(now),
            phase,
            visit,
            from: 'runner',
            tag: null,
            line: `${line} (${person}).`,
          };
          await kernel.submit({
            rows: [...scope.claim(id), ...rows],
            frames: [{ actor: id, frame: { kind: 'log', data } }],
          });
          this.#wakeAtNext();
          changed([id]);
          return summary(id);
        }),
    );
  }

  #wakeAtNext(atEarliest = 0): void {
    this.#cancelTimer();
    if (this.#isOver) return;
    const [next] = this.#deps.rows.all('snoozes', {}, { order: 'until', limit: 1 });
    if (next === undefined) return;
    const at = Math.max(next.until, atEarliest);
    this.#cancelTimer = this.#deps.clock.at(at, () => void this.#endDue());
  }

  async #endDue(): Promise<void> {
    const { rows, kernel, clock, notifyChanged: changed, onError } = this.#deps;
    const now = clock.now();
    const due = rows
      .all('snoozes', {}, { order: 'until', limit: MOST_AT_ONCE })
      .filter(({ until }) => until <= now);
    try {
      await kernel.submit({
        rows: due.flatMap((one) => [dropSnooze(one.job_id), putAside(one, null)]),
      });
      changed(due.map(({ job_id: id }) => id));
      this.#wakeAtNext();
    } catch (error) {
      if (this.#isOver) return;
      onError(error);
      this.#wakeAtNext(now + RETRY_MS);
    }
  }
}
