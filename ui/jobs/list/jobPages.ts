import {
  type Accessor,
  batch,
  createEffect,
  createMemo,
  createSignal,
  on,
  onCleanup,
  untrack,
} from 'solid-js';
import type { Client } from '../../../src/api/client/client.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';
import type { JobsQuery } from '../../../src/contract/schema/api/queries.ts';
import { useStore } from '../../shell/useStore.ts';
import { throttleCalls } from './throttleCalls.ts';
import type { JobsStore } from './jobsStore.ts';
import { runOnChange } from '../../shell/signals/runOnChange.ts';
import { yieldToBrowser } from '../../shell/signals/yieldToBrowser.ts';

export const PAGE_JOBS = 50;
/** Pages that are kept; those that were seen longest ago are read again when they come into view. */
const MAX_PAGES = 40;
/** Shortest time between two readings of what is in view, ms, while jobs change. */
const REFRESH_MS = 1_000;
/** Time between two reads of visible jobs, ms, while one is at work: output causes no events. */
export const OUTPUT_MS = 10_000;

/** Jobs whose changes are drawn at once: all of a page would be a long task on a slow processor. */
const DRAWN_AT_ONCE = 6;

type Selection = Omit<JobsQuery, 'limit' | 'offset'>;

export interface JobPages {
  /** How many jobs match; null until the first answer. */
  total: Accessor<number | null>;
  /** The job at a place of the list; undefined while its page was not read. */
  findAt(index: number): JobSummary | undefined;
  /** Says which places are in view; their pages are read. */
  look(from: number, to: number): void;
  /** What kept a page from being read; null = nothing. */
  problem: Accessor<unknown>;
  /** The jobs that it has answer an earlier query: that of now is being read, or could not be. */
  isOld: Accessor<boolean>;
  /** Reads again what is in view. */
  refresh(): void;
}

/**
 * A list of jobs of which only the pages in view are held. What changes is shown immediately; which
 * jobs belong to the list, and where, follows within a second. The jobs of an earlier query stay
 * until those of the new one have come.
 */
export function createJobPages(
  { client, jobs }: { client: Pick<Client, 'jobs'>; jobs: JobsStore },
  query: Accessor<Selection>,
): JobPages {
  const [pages, setPages] = createSignal<ReadonlyMap<number, readonly JobSummary[]>>(new Map());
  const [total, setTotal] = createSignal<number | null>(null);
  const [problem, setProblem] = createSignal<unknown>(null);
  const queryKey = createMemo(() => JSON.stringify(query()));
  const [answeredKey, setAnsweredKey] = createSignal<string | null>(null);
  const knownJobs = useStore(jobs, (context) => context.known);
  const changedJobs = useStore(jobs, (context) => context.changed);
  const openedCount = useStore(jobs, (context) => context.opened);
  const stop = new AbortController();
  onCleanup(() => stop.abort());
  let view = { from: 0, to: PAGE_JOBS };
  /** Rises with every query: an answer to an earlier one is dropped. */
  let round = 0;
  const requestedPages = new Set<number>();

  const pagesInView = (): number[] => {
    const first = Math.floor(view.from / PAGE_JOBS);
    const last = Math.floor(Math.max(view.from, view.to - 1) / PAGE_JOBS);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  };

  /** Reads pages; with `fresh` the previous ones go with the first answer. */
  async function read(wantedPages: readonly number[], fresh: boolean): Promise<void> {
    const mine = round;
    const key = untrack(queryKey);
    for (const page of wantedPages) requestedPages.add(page);
    try {
      const answers = await Promise.all(
        wantedPages.map((page) =>
          client.jobs({ ...untrack(query), limit: PAGE_JOBS, offset: page * PAGE_JOBS }),
        ),
      );
      if (mine !== round || stop.signal.aborted) return;
      batch(() => {
        const keptPages = new Map(fresh ? [] : pages());
        for (const [n, page] of wantedPages.entries()) {
          keptPages.delete(page);
          keptPages.set(page, answers[n]?.jobs ?? []);
        }
        for (const page of keptPages.keys()) {
          if (keptPages.size <= MAX_PAGES) break;
          keptPages.delete(page);
        }
        setPages(keptPages);
        setTotal(answers.at(-1)?.total ?? 0);
        setAnsweredKey(key);
        setProblem(null);
      });
      // Rows that were in view before follow a few at a time.
      const arrivals = answers.flatMap((answer) => answer.jobs);
      for (let from = 0; from < arrivals.length; from += DRAWN_AT_ONCE) {
        jobs.trigger.shown({ jobs: arrivals.slice(from, from + DRAWN_AT_ONCE) });
        await yieldToBrowser();
        if (mine !== round || stop.signal.aborted) return;
      }
    } catch (error) {
      if (mine === round) setProblem(() => error);
    } finally {
      if (mine === round) for (const page of wantedPages) requestedPages.delete(page);
    }
  }

  const readInView = (fresh: boolean): Promise<void> => read(pagesInView(), fresh);
  const soon = throttleCalls(REFRESH_MS, () => readInView(true), stop.signal);

  runOnChange(queryKey, () => {
    round += 1;
    requestedPages.clear();
    void readInView(true);
  });
  // Any change may bring a job into the list, out of it, or to another place.
  createEffect(
    on(
      () => [changedJobs(), openedCount()],
      () => soon(),
      { defer: true },
    ),
  );

  const at = (index: number): JobSummary | undefined => {
    const job = pages().get(Math.floor(index / PAGE_JOBS))?.[index % PAGE_JOBS];
    return job && (knownJobs().get(job.id) ?? job);
  };
  const isAtWork = (job: JobSummary | undefined): boolean =>
    job !== undefined && !job.ended && job.parked === null && job.status !== 'queued';
  const again = setInterval(() => {
    const inView = Array.from({ length: view.to - view.from }, (_, n) => at(view.from + n));
    if (!document.hidden && untrack(() => inView.some(isAtWork))) soon();
  }, OUTPUT_MS);
  stop.signal.addEventListener('abort', () => clearInterval(again), { once: true });

  return {
    total,
    problem,
    isOld: () => total() !== null && answeredKey() !== queryKey(),
    findAt: at,
    look(from, to) {
      view = { from, to };
      const unreadPages = pagesInView().filter(
        (page) => !pages().has(page) && !requestedPages.has(page),
      );
      if (unreadPages.length > 0 && total() !== null) void read(unreadPages, false);
    },
    refresh: soon,
  };
}
