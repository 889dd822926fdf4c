/** How old the issuer's word on a person may be at a refresh of a command line, ms; then svc asks again. */
export const REFRESH_FRESH_MS = 60_000;
/** The same for a login of a browser, which has no refresh. */
export const BROWSER_FRESH_MS = 10 * 60_000;
/** How long svc waits with the next question where the issuer has not answered one, ms. */
export const ASK_AGAIN_MS = 60_000;
/** How long logins last while the issuer does not answer, from its last word on the person, ms. */
export const ISSUER_AWAY_MS = 4 * 60 * 60_000;
/** How long a login lasts that svc cannot ask the issuer about, ms: it has given no refresh token, or the account is not connected. */
export const UNCONFIRMED_MS = 12 * 60 * 60_000;
/** How long a login by the link of an owner lasts, ms. */
export const BREAK_GLASS_MS = 60 * 60_000;

/** What is known of a login while people log in at a company's issuer; times in epoch ms. */
export interface LoginFacts {
  /** Since when they do. */
  issuerSince: number;
  loggedInAt: number;
  /** The identity of the account at that issuer; null = it is not connected. */
  identity: {
    /** When the person last logged in there. */
    authenticatedAt: number;
    /** When the issuer last confirmed the person, at a login or when asked. */
    confirmedAt: number;
    /** When svc last asked. */
    askedAt: number;
    hasRefreshToken: boolean;
  } | null;
}

/** `away`: it can count again, once the issuer answers. */
export type LoginState = 'valid' | 'ended' | 'away';

/** Whether a login counts, or whether the issuer has to be asked first. */
export function judgeLogin(
  { issuerSince, loggedInAt, identity }: LoginFacts,
  { now, freshMs }: { now: number; freshMs: number },
): LoginState | 'ask' {
  if (identity === null || !identity.hasRefreshToken) {
    const since = Math.max(issuerSince, loggedInAt, identity?.authenticatedAt ?? 0);
    return now - since < UNCONFIRMED_MS ? 'valid' : 'ended';
  }
  if (now - identity.confirmedAt < freshMs) return 'valid';
  return now - identity.askedAt < ASK_AGAIN_MS ? judgeUnanswered(identity.confirmedAt, now) : 'ask';
}

/** A login about which the issuer does not answer. */
export const judgeUnanswered = (confirmedAt: number, now: number): LoginState =>
  now - confirmedAt < ISSUER_AWAY_MS ? 'valid' : 'away';
