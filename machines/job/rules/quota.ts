import { formatUtcMinute } from '../../../src/base/time/toIsoTime.ts';
import type { ClosedLimit } from '../../../src/base/agents/quotaKinds.ts';
import {
  FIRST_QUOTA_WAIT_MS,
  FURTHEST_RESET_MS,
  LONGEST_QUOTA_WAIT_MS,
} from '../../quota/closeForHit.ts';
import { toEventTime } from '../../kit/eventTime.ts';
import type { JobContext, SessionStop } from '../jobContext.ts';
import type { JobEvent } from '../jobEvents.ts';

/** Shortest wait whatever the endpoint says, ms: its own short waits have just failed. */
export const SHORTEST_QUOTA_WAIT_MS = 60_000;

/**
 * When a job without a known account retries, epoch ms: at the endpoint's time, or after 15
 * minutes, doubling to 5 hours. An invalid, past or far (over 31 days) time is ignored. `before`:
 * earlier parks in a row.
 */
export function computeQuotaRetry(now: number, resetsAt: number | null, before: number): number {
  const waitMs = resetsAt === null ? Number.NaN : resetsAt - now;
  if (waitMs > 0 && waitMs <= FURTHEST_RESET_MS)
    return now + Math.max(Math.ceil(waitMs), SHORTEST_QUOTA_WAIT_MS);
  // Bounds the exponent: the park count is unbounded, and the longest wait is reached long before.
  return now + Math.min(FIRST_QUOTA_WAIT_MS * 2 ** Math.min(before, 10), LONGEST_QUOTA_WAIT_MS);
}

interface QuotaWait extends ClosedLimit {
  /** Epoch ms; null = unknown. */
  until: number | null;
  /** Who wakes it; null = its own timer. */
  pool: string | null;
  error: string | null;
}

/** The wait after a session's end, or one that the slots asked for. */
export function deriveQuotaWait(context: JobContext, event: JobEvent): QuotaWait {
  if (event.type === 'quota.closed') return { ...event, error: event.error ?? null };
  const { stop, setbacks } = context;
  const limit = stop?.quota ?? { kind: 'exhausted', window: null };
  const { error = null, pool: accountId = null, resetsAt = null } = stop ?? {};
  const now = toEventTime(context, event);
  // An account has already computed its time, and money has no reset time.
  const isKnown = accountId !== null || limit.kind === 'billing';
  const until = isKnown ? resetsAt : computeQuotaRetry(now, resetsAt, setbacks.quotas);
  return { ...limit, until, pool: accountId, error };
}

const CONTINUES: Readonly<Record<ClosedLimit['kind'], string>> = {
  throttled: "the model's endpoint takes no requests for a while",
  overloaded: "the model's endpoint takes no requests for a while",
  exhausted: "the model's endpoint takes no requests for a while",
  billing: "the model's account is unpaid, and waiting does not help",
  failing: "sessions of the model's account end at once with an error, one after another",
};

export function describeQuotaWait({
  kind,
  window,
  until,
  error,
  pool: accountId,
}: QuotaWait): string {
  const limit = window === null ? '' : ` (limit of ${window})`;
  const cause = error === null ? '' : `: ${error}`;
  const when =
    until === null
      ? `when that is settled, ${accountId === null ? '' : `run svc accounts retry ${accountId} for all jobs of the account, or `}resume the job`
      : `the job continues by itself at ${formatUtcMinute(until)}`;
  return `${CONTINUES[kind]}${limit}; ${when}${cause}`;
}

export const toStopLimit = ({
  resetsAt,
  quota,
  pool: accountId,
}: Pick<SessionStop, 'resetsAt' | 'quota' | 'pool'>): Partial<SessionStop> => ({
  resetsAt: resetsAt ?? null,
  ...(quota ? { quota } : {}),
  ...(accountId === undefined ? {} : { pool: accountId }),
});
