import type { QuotaPorts } from '../../../machines/index.ts';
import type { Port } from '../../durable/port.ts';
import type { Tables } from '../../records/tables.ts';
import type { TypedRows } from '../../records/typedRows.ts';

export interface WakeJobsDeps {
  rows: Pick<TypedRows<Tables>, 'all' | 'count'>;
}

/**
 * `quota.wake`: sends the first jobs that wait for a pool back to the queue. They and the answer
 * are in one commit: a crash before it has woken none, and one after it all.
 */
export const wakeJobs =
  ({ rows }: WakeJobsDeps): Port<QuotaPorts['quota.wake'], Tables> =>
  async ({ pool, jobs }) => {
    const first = rows.all('quota_waits', { pool }, { limit: jobs });
    const left = rows.count('quota_waits', { pool }) - first.length;
    return {
      events: [{ type: 'quota.woken', jobs: first.length, left }],
      sends: first.map(({ job_id: to }) => ({ to, event: { type: 'quota.reset', pool } })),
    };
  };
