import { isBelievableReset, UNNAMED_WAIT_MS } from './limits.ts';
import { toIsoTime } from '../../base/time/toIsoTime.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { ForgeBudget, ForgeLimit } from '../../contract/schema/forge/forge.ts';
import type { Caller } from './caller.ts';

const HOUR_MS = 3_600_000;
/**
 * Part of the account's limit that jobs leave for the runner itself, so that a parked job still
 * hears of its pull requests.
 */
export const RESERVE = 0.1;
const JOBS_SHOWN = 20;

interface Limit {
  limit: number;
  remaining: number;
  /** By the forge's own word, epoch ms. */
  resetsAt: number;
}

/** A limit with the time until which it is observed, epoch ms. */
type NotedLimit = Limit & { until: number };

/** Counts the requests of one account, and says which may go out. Times are epoch ms. */
export class Budget {
  readonly #perJob: number;
  readonly #limits = new Map<string, NotedLimit>();
  readonly #jobs = new Map<string, { since: number; used: number }>();
  #sent = 0;
  #notModified = 0;
  #waitsUntil = 0;

  /** `perJob`: most requests of one job in an hour. */
  constructor(perJob: number) {
    this.#perJob = perJob;
  }

  /** When the next request may go out; in the past = now. */
  waitsUntil(resource: string): number {
    const notedLimit = this.#limits.get(resource);
    return Math.max(this.#waitsUntil, notedLimit?.remaining === 0 ? notedLimit.until : 0);
  }

  wait(until: number): void {
    this.#waitsUntil = Math.max(this.#waitsUntil, until);
  }

  /**
   * Takes one request of the caller. Throws SvcError `rate-limited` with the time from which on it
   * may ask again.
   */
  take(caller: Caller | null, resource: string, now: number): void {
    if (caller !== null) this.#checkJob(caller, resource, now);
    this.#sent += 1;
  }

  /** Notes the limit that an answer of the forge names. */
  noteLimit(resource: string, limit: Limit, now: number): void {
    const until = isBelievableReset(limit, now) ? limit.resetsAt : now + UNNAMED_WAIT_MS;
    this.#limits.set(resource, { ...limit, until });
  }

  noteNotModified(): void {
    this.#notModified += 1;
  }

  view(now: number): ForgeBudget {
    const limits = [...this.#limits].map(
      ([resource, { limit, remaining, resetsAt }]): ForgeLimit => {
        return {
          resource,
          limit,
          remaining: resetsAt <= now ? limit : remaining,
          resetsAt: toIsoTime(resetsAt),
        };
      },
    );
    const jobs = [...this.#jobs]
      .filter(([, { since }]) => now - since < HOUR_MS)
      .map(([jobId, { used }]) => ({ jobId, used }))
      .sort((a, b) => b.used - a.used)
      .slice(0, JOBS_SHOWN);
    return {
      limits,
      waitsUntil: this.#waitsUntil > now ? toIsoTime(this.#waitsUntil) : null,
      sent: this.#sent,
      notModified: this.#notModified,
      perJob: this.#perJob,
      jobs,
    };
  }

  #checkJob({ jobId }: Caller, resource: string, now: number): void {
    const notedLimit = this.#limits.get(resource);
    if (
      notedLimit &&
      notedLimit.until > now &&
      notedLimit.remaining <= notedLimit.limit * RESERVE
    ) {
      throw createRateLimitError(
        `The account has ${notedLimit.remaining} of ${notedLimit.limit} requests left, which are reserved for the runner`,
        notedLimit.until,
      );
    }
    const before = this.#jobs.get(jobId);
    const window = before && now - before.since < HOUR_MS ? before : { since: now, used: 0 };
    if (window.used >= this.#perJob)
      throw createRateLimitError(
        `This job has made ${window.used} requests in an hour, the maximum`,
        window.since + HOUR_MS,
      );
    window.used += 1;
    this.#jobs.set(jobId, window);
    // Jobs that have ended send nothing more: without this the list would grow without end.
    for (const [id, { since }] of this.#jobs) if (now - since >= HOUR_MS) this.#jobs.delete(id);
  }
}

/** `resetsAt` in the data is ISO 8601. */
export const createRateLimitError = (why: string, resetsAt: number): SvcError =>
  new SvcError(
    'rate-limited',
    `${why}. Try again after ${toIsoTime(resetsAt)}; work that does not need the forge can continue.`,
    {
      data: { resetsAt: toIsoTime(resetsAt) },
    },
  );
