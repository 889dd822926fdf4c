import type { ClosedKind, QuotaHit, QuotaUse } from '../../src/shared/agents/quotaKinds.ts';
import type { QuotaAnswer } from './ports.ts';

export interface QuotaInput {
  /** Id of the actor: `pool:<kind>:<origin>:<account>`. */
  pool: string;
  createdAt: number;
}

/** Why an account is closed, and until when. */
export interface AccountClosure {
  kind: ClosedKind;
  window: string | null;
  /** Epoch ms; null = until a person opens it. */
  until: number | null;
  /** When it was closed, epoch ms. */
  since: number;
  /** Of `failing`: how the last session has ended. */
  error?: string;
}

/** Sessions in a row that have ended at once with an error. */
export interface FailureStreak {
  count: number;
  /** The job of the first of them. */
  job: string;
  /** Another job is among them: it is not that job that is broken. */
  others: boolean;
}

/** A session has ended at once with an error. */
export interface QuotaFailure {
  job: string;
  /** How it has ended, with secrets taken out. */
  error: string;
  /** At which one in a row the account closes; 0 = never. */
  park: number;
}

export interface QuotaContext extends QuotaInput {
  /** The last limit that was met; null = none was, or it is over. */
  closed: AccountClosure | null;
  /** How full the account was when it last said so; null = it has not. */
  use: (QuotaUse & { at: number }) | null;
  /** Probes in a row that have met the limit again. */
  failures: number;
  /** Sessions in a row that have ended at once with an error; left out = the last one did not. */
  failing?: FailureStreak | undefined;
  /** The job that was woken last to try whether a limit is over; left out = none was. */
  probe?: string;
  /** Jobs that are woken with the next wave. */
  wave: number;
}

/** `at` (epoch ms) is stamped by the kernel on every event. `chance`: at least 0, below 1. */
export type QuotaEvent = (
  | QuotaAnswer
  /** A request of the account has met a limit. */
  | ({ type: 'quota.hit'; chance: number } & QuotaHit)
  | ({ type: 'quota.failed'; chance: number } & QuotaFailure)
  /** A session of the account has ended well, or lasted. */
  | { type: 'quota.worked' }
  /** How full the account is, by a good answer. */
  | ({ type: 'quota.seen'; chance: number } & QuotaUse)
  /** A session of the account has had an answer of its model. */
  | { type: 'quota.answered' }
  /** A job waits for the account although it is open. */
  | { type: 'quota.waits' }
  /** A person says that the account takes requests again. */
  | { type: 'quota.opened' }
  /** The timer of the state. */
  | { type: 'quota.due' }
  /** The timer of a window that was nearly used up: it begins again. */
  | { type: 'quota.room' }
  | { type: 'effect.givenUp'; error: string }
) & { at: number };
