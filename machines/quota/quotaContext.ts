import type { ClosedKind, QuotaHit, QuotaUse } from '../../src/base/agents/quotaKinds.ts';
import type { QuotaAnswer } from './ports.ts';

export interface QuotaInput {
  /** Id of the actor: `pool:<kind>:<origin>:<account>`. */
  pool: string;
  createdAt: number;
}

export interface AccountClosure {
  kind: ClosedKind;
  window: string | null;
  /** Epoch ms; null = until a person opens it. */
  until: number | null;
  /** When it was closed, epoch ms. */
  since: number;
  /** With `failing`: the last session's error. */
  error?: string;
}

/** Sessions in a row that failed at once. */
export interface FailureStreak {
  count: number;
  /** The job of the first one. */
  job: string;
  /** Another job failed too, so the first job is not the cause. */
  others: boolean;
}

export interface QuotaFailure {
  job: string;
  /** The error, without secrets. */
  error: string;
  /** Failures in a row at which the account closes; 0 = never. */
  park: number;
}

export interface QuotaContext extends QuotaInput {
  /** The last limit met; null = none, or over. */
  closed: AccountClosure | null;
  /** Last reported use of the account; null = none reported. */
  use: (QuotaUse & { at: number }) | null;
  /** Probes in a row that met the limit again. */
  failures: number;
  /** Sessions in a row that failed at once; left out = the last one did not. */
  failing?: FailureStreak | undefined;
  /** The job last woken to try the account; left out = none. */
  probe?: string;
  /** Number of jobs in the next wave. */
  wave: number;
}

/** `at` (epoch ms) is stamped by the kernel on every event. `chance`: at least 0, below 1. */
export type QuotaEvent = (
  | QuotaAnswer
  /** A request of the account has met a limit. */
  | ({ type: 'quota.hit'; chance: number } & QuotaHit)
  | ({ type: 'quota.failed'; chance: number } & QuotaFailure)
  /** A session of the account ended well or lasted. */
  | { type: 'quota.worked' }
  /** How full the account is, from a successful answer. */
  | ({ type: 'quota.seen'; chance: number } & QuotaUse)
  /** The model answered a session of the account. */
  | { type: 'quota.answered' }
  /** A job waits although the account is open. */
  | { type: 'quota.waits' }
  /** A person says that the account accepts requests again. */
  | { type: 'quota.opened' }
  | { type: 'quota.due' }
  /** The timer of a nearly used-up window: the window begins again. */
  | { type: 'quota.room' }
  | { type: 'effect.givenUp'; error: string }
) & { at: number };
