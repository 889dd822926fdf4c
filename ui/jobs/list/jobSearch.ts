import { createEffect, createSignal, on, onCleanup } from 'solid-js';
import type { Client } from '../../../src/api/client/client.ts';
import { MAX_SEARCH_CHARS } from '../../../src/base/limits/jobLimits.ts';
import type { JobSummary } from '../../../src/contract/schema/job/job.ts';

/** A pause in typing after which is searched, ms. */
const PAUSE_MS = 80;

export interface JobSearch {
  /** The newest jobs that match; those that were found last stay until others are. */
  matches: () => readonly JobSummary[];
  /** Resolves when the answer to what is typed now has come, or failed. */
  awaitAnswer(): Promise<void>;
}

export function createJobSearch(
  client: Pick<Client, 'jobs'>,
  getQuery: () => string,
  limit: number,
): JobSearch {
  const [matches, setMatches] = createSignal<readonly JobSummary[]>([]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let requests = 0;
  let openAnswer: PromiseWithResolve | null = null;

  async function ask(q: string): Promise<void> {
    const mine = requests;
    try {
      const { jobs } = await client.jobs({ q: q.slice(0, MAX_SEARCH_CHARS), limit });
      if (mine === requests) setMatches(jobs);
    } catch {
      // Pages and actions are found without the runner too.
    }
    if (mine !== requests) return;
    openAnswer?.resolve();
    openAnswer = null;
  }

  createEffect(
    on(getQuery, (q) => {
      clearTimeout(timer);
      requests += 1;
      openAnswer ??= createResolvable();
      timer = setTimeout(() => void ask(q), q === '' ? 0 : PAUSE_MS);
    }),
  );
  onCleanup(() => clearTimeout(timer));
  return { matches, awaitAnswer: () => openAnswer?.promise ?? Promise.resolve() };
}

interface PromiseWithResolve {
  promise: Promise<void>;
  resolve: () => void;
}

function createResolvable(): PromiseWithResolve {
  let resolve = () => {};
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
