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
  /** Lists that are being read. */
  reading: number;
  /** Jobs that have changed since the first of them was asked for: a list may be older than that. */
  meanwhile: readonly JobSummary[];
}

const EMPTY: Inbox = {
  items: [],
  total: 0,
  loaded: false,
  problem: null,
  reading: 0,
  meanwhile: [],
};

const byJob = (items: readonly InboxItem[]): Map<string, InboxItem> =>
  new Map(items.map((item) => [item.jobId, item]));

const isSame = (a: InboxItem | undefined, job: JobSummary): boolean =>
  a !== undefined && JSON.stringify(a.job) === JSON.stringify(job);

/** The list with what has changed; the same list where nothing of it waits. */
function withChanges(
  { items: listed, total }: Pick<Inbox, 'items' | 'total'>,
  jobs: readonly JobSummary[],
): Pick<Inbox, 'items' | 'total'> {
  const items = byJob(listed);
  let count = total;
  let isNews = false;
  for (const job of jobs) {
    const before = items.get(job.id);
    if ((before === undefined && job.needs === null) || isSame(before, job)) continue;
    if (before && before.job.updatedAt > job.updatedAt) continue;
    const item = itemOf(job);
    if (item) items.set(job.id, item);
    else items.delete(job.id);
    count += (item ? 1 : 0) - (before ? 1 : 0);
    isNews = true;
  }
  return isNews ? { items: inOrder([...items.values()]), total: count } : { items: listed, total };
}

/** One list less is being read. */
function readOne({ reading, meanwhile }: Inbox): Pick<Inbox, 'reading' | 'meanwhile'> {
  const left = Math.max(0, reading - 1);
  return { reading: left, meanwhile: left === 0 ? [] : meanwhile };
}

/** What waits for a person. Requests are made elsewhere; they end as events here. */
export const createInboxStore = () =>
  createStore({
    context: EMPTY,
    on: {
      /** A list is asked for; `listed` or `unreadable` follows. */
      asked: (context): Inbox => ({ ...context, reading: context.reading + 1 }),
      /** Everything that waits, as it was read; `total` counts also what is beyond the limit. */
      listed: (context, event: { jobs: readonly JobSummary[]; total: number }): Inbox => {
        const known = byJob(context.items);
        const items = event.jobs.flatMap((job) => {
          const before = known.get(job.id);
          const item = before && isSame(before, job) ? before : itemOf(job);
          return item ? [item] : [];
        });
        const list = { items: inOrder(items), total: Math.max(event.total, items.length) };
        const now = withChanges(list, context.meanwhile);
        return { ...now, ...readOne(context), loaded: true, problem: null };
      },
      /** Jobs that have changed, whether or not they wait. */
      changed: (context, event: { jobs: readonly JobSummary[] }): Inbox => {
        const now = withChanges(context, event.jobs);
        if (context.reading > 0)
          return { ...context, ...now, meanwhile: [...context.meanwhile, ...event.jobs] };
        return now.items === context.items ? context : { ...context, ...now };
      },
      unreadable: (context, event: { problem: unknown }): Inbox => ({
        ...context,
        ...readOne(context),
        problem: event.problem,
      }),
    },
  });

export type InboxStore = ReturnType<typeof createInboxStore>;
