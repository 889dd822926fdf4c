import { createStore } from '@xstate/store';
import type { JobSummary } from '../../src/schema/job.ts';
import { type InboxItem, inOrder, itemOf } from './waiting.ts';

interface Inbox {
  /** In their order. An item whose job did not change is the same object as before. */
  items: readonly InboxItem[];
  /** How many wait; more than items where very many do. */
  total: number;
  /** False until the first list has come. */
  loaded: boolean;
  /** What kept the list from being read; null = nothing. */
  problem: unknown;
}

const byJob = (items: readonly InboxItem[]): Map<string, InboxItem> =>
  new Map(items.map((item) => [item.jobId, item]));

const isSame = (a: InboxItem | undefined, job: JobSummary): boolean =>
  a !== undefined && JSON.stringify(a.job) === JSON.stringify(job);

/** What waits for a person. Requests are made elsewhere; they end as events here. */
export const createInboxStore = () =>
  createStore({
    context: { items: [], total: 0, loaded: false, problem: null } as Inbox,
    on: {
      /** Everything that waits, as it was read; `total` counts also what is beyond the limit. */
      listed: (context, event: { jobs: readonly JobSummary[]; total: number }): Inbox => {
        const known = byJob(context.items);
        const items = event.jobs.flatMap((job) => {
          const before = known.get(job.id);
          const item = before && isSame(before, job) ? before : itemOf(job);
          return item ? [item] : [];
        });
        const total = Math.max(event.total, items.length);
        return { items: inOrder(items), total, loaded: true, problem: null };
      },
      /** Jobs that have changed, whether or not they wait. */
      changed: (context, event: { jobs: readonly JobSummary[] }): Inbox => {
        const items = byJob(context.items);
        let total = context.total;
        let isNews = false;
        for (const job of event.jobs) {
          const before = items.get(job.id);
          if ((before === undefined && job.needs === null) || isSame(before, job)) continue;
          if (before && before.job.updatedAt > job.updatedAt) continue;
          const item = itemOf(job);
          if (item) items.set(job.id, item);
          else items.delete(job.id);
          total += (item ? 1 : 0) - (before ? 1 : 0);
          isNews = true;
        }
        return isNews ? { ...context, items: inOrder([...items.values()]), total } : context;
      },
      unreadable: (context, event: { problem: unknown }): Inbox => ({
        ...context,
        problem: event.problem,
      }),
    },
  });

export type InboxStore = ReturnType<typeof createInboxStore>;
