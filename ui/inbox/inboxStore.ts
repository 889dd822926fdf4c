import { createStore } from '@xstate/store';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import type { ProposalSummary } from '../../src/contract/schema/workflow/proposal.ts';
import {
  type InboxItem,
  sortInboxItems,
  toJobItem,
  type JobItem,
  toProposalItem,
} from './inboxItems.ts';

interface Inbox {
  /** In their order. An item that did not change is the same object as before. */
  items: readonly InboxItem[];
  /** How many wait; more than items where very many do. */
  total: number;
  proposals: number;
  /** False until the first lists have come. */
  loaded: boolean;
  /** Which of them have. */
  loadedLists: { jobs: boolean; proposals: boolean };
  /** What kept the list from being read; null = nothing. */
  problem: unknown;
  reading: number;
  /** Jobs that have changed since the first of them was asked for: a list may be older than that. */
  meanwhile: readonly JobSummary[];
}

const EMPTY: Inbox = {
  items: [],
  total: 0,
  proposals: 0,
  loaded: false,
  loadedLists: { jobs: false, proposals: false },
  problem: null,
  reading: 0,
  meanwhile: [],
};

type List = Pick<Inbox, 'items' | 'total'>;

const indexItemsById = (items: readonly InboxItem[]): Map<string, InboxItem> =>
  new Map(items.map((item) => [item.id, item]));

const isSameJobSummary = (a: InboxItem | undefined, job: JobSummary): boolean =>
  a !== undefined && JSON.stringify(a.job) === JSON.stringify(job);

const isProposalItem = ({ proposal }: InboxItem): boolean => proposal !== null;

/** The list with what has changed; the same list where nothing of it waits. */
function applyJobChanges({ items: listedItems, total }: List, jobs: readonly JobSummary[]): List {
  const items = indexItemsById(listedItems);
  let count = total;
  let isNews = false;
  for (const job of jobs) {
    const before = items.get(job.id);
    if ((before === undefined && job.needs === null) || isSameJobSummary(before, job)) continue;
    if (before?.job && before.job.updatedAt > job.updatedAt) continue;
    const item = toJobItem(job);
    if (item) items.set(job.id, item);
    else items.delete(job.id);
    count += (item ? 1 : 0) - (before ? 1 : 0);
    isNews = true;
  }
  return isNews
    ? { items: sortInboxItems([...items.values()]), total: count }
    : { items: listedItems, total };
}

function markListLoaded(
  { loadedLists: before }: Inbox,
  list: 'jobs' | 'proposals',
): Pick<Inbox, 'loadedLists' | 'loaded'> {
  const loadedLists = { ...before, [list]: true };
  return { loadedLists, loaded: loadedLists.jobs && loadedLists.proposals };
}

function readOne({ reading, meanwhile }: Inbox): Pick<Inbox, 'reading' | 'meanwhile'> {
  const remaining = Math.max(0, reading - 1);
  return { reading: remaining, meanwhile: remaining === 0 ? [] : meanwhile };
}

/** What waits for a person. Requests are made elsewhere; they end as events here. */
export const createInboxStore = () =>
  createStore({
    context: EMPTY,
    on: {
      /** A list is asked for; `listed` or `unreadable` follows. */
      asked: (context): Inbox => ({ ...context, reading: context.reading + 1 }),
      /**
       * Every waiting job, as it was read; `total` also counts those beyond the limit. A job whose
       * row cannot be read is left out: it is not known to need anyone.
       */
      listed: (context, event: { jobs: readonly JobSummary[]; total: number }): Inbox => {
        const itemsById = indexItemsById(context.items);
        const items = event.jobs.flatMap((job): JobItem[] => {
          const before = itemsById.get(job.id);
          const item = before?.job && isSameJobSummary(before, job) ? before : toJobItem(job);
          return item ? [item] : [];
        });
        const unreadable = event.jobs.length - items.length;
        const proposals = context.items.filter(isProposalItem);
        const list = {
          items: sortInboxItems([...items, ...proposals]),
          total: Math.max(event.total - unreadable, items.length) + context.proposals,
        };
        const now = applyJobChanges(list, context.meanwhile);
        return {
          ...context,
          ...now,
          ...readOne(context),
          ...markListLoaded(context, 'jobs'),
          problem: null,
        };
      },
      /** Every proposal that waits; `total` counts also what is beyond the limit. */
      proposed: (
        context,
        event: { proposals: readonly ProposalSummary[]; total: number },
      ): Inbox => {
        const itemsById = indexItemsById(context.items);
        const proposals = event.proposals.map((proposal) => {
          const item = toProposalItem(proposal);
          const before = itemsById.get(item.id);
          return before?.key === item.key ? before : item;
        });
        const total = Math.max(event.total, proposals.length);
        const jobs = context.items.filter((item) => !isProposalItem(item));
        return {
          ...context,
          items: sortInboxItems([...jobs, ...proposals]),
          total: context.total - context.proposals + total,
          proposals: total,
          ...markListLoaded(context, 'proposals'),
        };
      },
      /** The proposals cannot be read: those that are known stay. */
      unproposed: (context): Inbox => ({ ...context, ...markListLoaded(context, 'proposals') }),
      changed: (context, event: { jobs: readonly JobSummary[] }): Inbox => {
        const now = applyJobChanges(context, event.jobs);
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
