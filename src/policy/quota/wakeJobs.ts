import type { JobContext, QuotaPorts } from '../../../machines/index.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { Port } from '../../kernel/port.ts';
import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';

export interface WakeJobsDeps {
  rows: Pick<TypedRows<Tables>, 'all' | 'count'>;
  readState(id: string): ActorState | undefined;
}

/** A job that its account has woken and that still waits for its turn. */
const isProbeQueued = (state: ActorState | undefined): boolean =>
  state?.chart === 'job' &&
  state.value === 'queued' &&
  (state.context as JobContext).admitted === 'probe';

const toFirstJob = ([first]: readonly { job_id: string }[]): { first?: string } =>
  first === undefined ? {} : { first: first.job_id };

/**
 * `quota.wake`: sends the first jobs that wait for an account back to the queue, in the same commit
 * as the answer: a crash leaves either none or all of them woken.
 */
export const wakeJobs =
  ({ rows, readState }: WakeJobsDeps): Port<QuotaPorts['quota.wake'], Tables> =>
  async ({ pool: accountId, jobs, probe }) => {
    if (probe && isProbeQueued(readState(probe))) {
      const waitingCount = rows.count('quota_waits', { pool: accountId });
      return { events: [{ type: 'quota.woken', jobs: 1, left: waitingCount, first: probe }] };
    }
    const first = rows.all('quota_waits', { pool: accountId }, { limit: jobs });
    const waitingJobs = rows.count('quota_waits', { pool: accountId }) - first.length;
    return {
      events: [
        { type: 'quota.woken', jobs: first.length, left: waitingJobs, ...toFirstJob(first) },
      ],
      sends: first.map(({ job_id: to }) => ({
        to,
        event: {
          type: 'quota.reset',
          pool: accountId,
          ...(probe === undefined ? {} : { probe: true }),
        },
      })),
    };
  };
