import type { Client } from '../../src/api/client/client.ts';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import { throttleCalls } from '../jobs/list/throttleCalls.ts';
import type { JobsStore } from '../jobs/list/jobsStore.ts';
import type { LimitsStore } from './limitsStore.ts';

/** Between two looks at what sessions spend, ms: no event tells of it. */
const EVERY_MS = 60_000;
const SOONEST_MS = 2_000;

interface FollowLimits {
  client: Pick<Client, 'budgets' | 'accounts'>;
  jobs: JobsStore;
  limits: LimitsStore;
  signal: AbortSignal;
  /** Shortest time between two looks, ms: many jobs meet the limit of an account at once. Default: 2,000. */
  soonestMs?: number;
}

/** Reads budgets and accounts into the store. Never throws. */
export async function readLimits({
  client,
  limits,
}: Pick<FollowLimits, 'client' | 'limits'>): Promise<void> {
  try {
    const [list, accounts] = await Promise.all([client.budgets(), client.accounts()]);
    limits.trigger.read({ list, accounts: accounts });
  } catch (problem) {
    limits.trigger.unreadable({ problem });
  }
}

const isHeldByLimit = ({ parked }: JobSummary): boolean =>
  parked?.kind === 'quota' || parked?.kind === 'budget';

/** Keeps limits current: reads at each connection, each change of a limit, and each minute. */
export function followLimits({
  client,
  jobs,
  limits,
  signal,
  soonestMs = SOONEST_MS,
}: FollowLimits): void {
  const soon = throttleCalls(soonestMs, () => readLimits({ client, limits }), signal);
  const heldKeys = new Set<string>();
  let { opened, changed } = jobs.getSnapshot().context;
  const following = jobs.subscribe(({ context }) => {
    let isNews = context.opened !== opened;
    opened = context.opened;
    if (context.changed !== changed)
      for (const job of context.changed) {
        if (isHeldByLimit(job) !== heldKeys.has(job.id)) isNews = true;
        if (isHeldByLimit(job)) heldKeys.add(job.id);
        else heldKeys.delete(job.id);
      }
    changed = context.changed;
    if (isNews) soon();
  });
  const timer = setInterval(soon, EVERY_MS);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    following.unsubscribe();
  });
}
