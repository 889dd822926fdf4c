/**
 * Why a model's endpoint takes no requests. `throttled`: too many of late; a short wait helps.
 * `exhausted`: what a window of hours or days allows is used up. `overloaded`: it has too much to
 * do, for every account. `billing`: the account is unpaid; waiting does not help and a person has to act.
 */
export const QUOTA_KINDS = ['throttled', 'exhausted', 'overloaded', 'billing'] as const;
export type QuotaKind = (typeof QUOTA_KINDS)[number];

export interface QuotaHit {
  kind: QuotaKind;
  /** What is limited, in a word or two, such as `5 hours` or `tokens`; null = it is not known. */
  window: string | null;
  /** When it takes requests again, epoch ms; null = it does not say. */
  resetsAt: number | null;
}

/** Which limit it is, without its time. */
export type QuotaLimit = Pick<QuotaHit, 'kind' | 'window'>;

/** Why an account takes no sessions; `failing`: session after session ended with an error. */
export const CLOSED_KINDS = [...QUOTA_KINDS, 'failing'] as const;
export type ClosedKind = (typeof CLOSED_KINDS)[number];

export interface ClosedLimit {
  kind: ClosedKind;
  window: string | null;
}

export interface QuotaUse {
  /** Part of what the window allows: 0 = nothing, 1 = all. */
  used: number;
  window: string | null;
  /** When the window begins again, epoch ms; null = it is not known. */
  resetsAt: number | null;
}
