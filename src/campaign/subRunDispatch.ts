import type { JobInput, SubRunsEvent, SubRunsPorts } from '../../machines/index.ts';
import type { Port } from '../durable/port.ts';
import { SvcError } from '../lib/errors.ts';
import type { RowChange } from '../records/changes.ts';
import type { Tables } from '../records/tables.ts';

/** A sub-run's job, ready to be started, with the rows that it begins with. */
export interface PreparedSubRun {
  jobId: string;
  input: JobInput;
  rows: RowChange[];
}

export interface DispatchSubRunDeps {
  /** Throws SvcError for what trying again cannot fix. */
  subRunJob(params: SubRunsPorts['subRun.dispatch']): Promise<PreparedSubRun>;
}

/** Distributes over the union, which Omit alone does not. */
type WithoutTime<Event> = Event extends unknown ? Omit<Event, 'at'> : never;
type Answer = WithoutTime<Extract<SubRunsEvent, { type: 'subRun.prepared' | 'subRun.unprepared' }>>;

/**
 * `subRun.dispatch`: makes the input of a sub-run's job. The job itself is started by the
 * dispatcher, in the commit that takes this answer: however often this is repeated after a crash,
 * one job comes of it.
 */
export const dispatchSubRun =
  ({ subRunJob }: DispatchSubRunDeps): Port<SubRunsPorts['subRun.dispatch'], Tables> =>
  async (params) => {
    const { name, attempt } = params;
    try {
      const { jobId, input, rows } = await subRunJob(params);
      return {
        events: [{ type: 'subRun.prepared', name, attempt, jobId, input } satisfies Answer],
        rows,
      };
    } catch (error) {
      if (!(error instanceof SvcError) || error.status >= 500) throw error;
      const details = error.errors
        .map(({ pointer, message }) => `; ${pointer} ${message}`)
        .join('');
      return {
        events: [
          {
            type: 'subRun.unprepared',
            name,
            attempt,
            message: `${error.message}${details}`,
          } satisfies Answer,
        ],
      };
    }
  };
