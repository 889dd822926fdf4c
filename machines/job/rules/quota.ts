import { formatUtcMinute } from '../../../src/shared/time/formatUtcMinute.ts';
import type { ClosedLimit } from '../../../src/shared/agents/quotaKinds.ts';
import {
  FIRST_QUOTA_WAIT_MS,
  FURTHEST_RESET_MS,
  LONGEST_QUOTA_WAIT_MS,
} from '../../quota/closeForHit.ts';
import { toEventTime } from '../../kit/eventTime.ts';
import type { JobContext, SessionStop } from '../jobContext.ts';
import type { JobEvent } from '../jobEvents.ts';

/**
 * Shortest wait whatever the endpoint says, ms: it has just refused requests for longer than its
 * own short waits.
 */
export const SHORTEST_QUOTA_WAIT_MS = 60_000;

/**
 * When a job whose model has a limit and no known account tries again, epoch ms: at the time that the
 * endpoint names, or after 15 minutes, doubling to 5 hours. A time that is no number, not in the
 * future, or more than 31 days away counts as none. `before`: parks in a row before this one.
 */
export function computeQuotaRetry(now: number, resetsAt: number | null, before: number): number {
  const waitMs = resetsAt === null ? Number.NaN : resetsAt - now;
  if (waitMs > 0 && waitMs <= FURTHEST_RESET_MS)
    return now + Math.max(Math.ceil(waitMs), SHORTEST_QUOTA_WAIT_MS);
  // The exponent is bounded: a park count is not, and the limit is reached long before.
  return now + Math.min(FIRST_QUOTA_WAIT_MS * 2 ** Math.min(before, 10), LONGEST_QUOTA_WAIT_MS);
}

/** What a job waits for in `parked.quota`. */
interface QuotaWait extends ClosedLimit {
  /** Epoch ms; null = no time is known. */
  until: number | null;
  /** Who wakes it; null = its own timer. */
  pool: string | null;
  /** What the agent has said. */
  error: string | null;
}

/** The wait that follows the end of a session, or that slots have asked for. */
export function deriveQuotaWait(context: JobContext, event: JobEvent): QuotaWait {
  if (event.type === 'quota.closed') return { ...event, error: event.error ?? null };
  const { stop, setbacks } = context;
  const limit = stop?.quota ?? { kind: 'exhausted', window: null };
  const { error = null, pool: accountId = null, resetsAt = null } = stop ?? {};
  const now = toEventTime(context, event);
  // An account has reckoned already; money comes back at no time.
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

/** For people: why it waits, and until when. */
export function describeQuotaWait({
  kind,
  window,
  until,
  error,
  pool: accountId,
}: QuotaWait): string {
  const limited = window === null ? '' : ` (limit of ${window})`;
  const said = error === null ? '' : `: ${error}`;
  const when =
    until === null
      ? `when that is settled, ${accountId === null ? '' : `run svc accounts retry ${accountId} for all jobs of the account, or `}resume the job`
      : `the job continues by itself at ${formatUtcMinute(until)}`;
  return `${CONTINUES[kind]}${limited}; ${when}${said}`;
}

/** What is kept of the end of a session at a limit. */
export const toStopLimit = ({
  resetsAt,
  quota,
  pool: accountId,
}: Pick<SessionStop, 'resetsAt' | 'quota' | 'pool'>): Partial<SessionStop> => ({
  resetsAt: resetsAt ?? null,
  ...(quota ? { quota } : {}),
  ...(accountId === undefined ? {} : { pool: accountId }),
});
