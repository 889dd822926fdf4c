import type { CredentialPool } from '../../../src/base/agents/credentialPool.ts';
import type { QuotaKind } from '../../../src/base/agents/quotaKinds.ts';

const HOUR_MS = 3_600_000;

/** The accounts of the weekend: each is the alias of a model, and an account. */
export const ACCOUNTS = ['alpha', 'beta', 'gamma'] as const;
export type Account = (typeof ACCOUNTS)[number];

const KINDS: Readonly<Record<Account, string>> = {
  alpha: 'anthropic',
  beta: 'openai',
  gamma: 'gemini',
};

/** The pool of `command:alpha`; null for a provider without an account. */
export function createCredentialPool(provider: string): CredentialPool | null {
  const account = ACCOUNTS.find((one) => provider === `command:${one}`);
  if (account === undefined) return null;
  return { kind: KINDS[account], origin: `https://${account}.example`, account: 'none' };
}

/** A limit of an account: it begins with the first call after a time. */
export interface Limit {
  account: Account;
  kind: QuotaKind;
  window: string | null;
  /** Hours from the beginning after which the next call meets it, and how long it lasts. */
  after: number;
  lasts: number;
  /** The endpoint says when it is over. */
  namesReset: boolean;
}

export const LIMITS: readonly Limit[] = [
  { account: 'alpha', kind: 'exhausted', window: '5 hours', after: 2, lasts: 4, namesReset: true },
  { account: 'beta', kind: 'throttled', window: null, after: 4, lasts: 0.3, namesReset: true },
  { account: 'gamma', kind: 'exhausted', window: null, after: 7, lasts: 3, namesReset: false },
  { account: 'beta', kind: 'overloaded', window: null, after: 14, lasts: 0.1, namesReset: false },
  { account: 'alpha', kind: 'exhausted', window: '7 days', after: 25, lasts: 6, namesReset: true },
  { account: 'gamma', kind: 'billing', window: null, after: 31, lasts: 9, namesReset: false },
];

/** A limit that was met: epoch ms. */
export interface Met extends Limit {
  from: number;
  until: number;
}

/** The endpoints of the weekend, which refuse what comes while a limit holds. */
export class Endpoint {
  readonly met: Met[] = [];
  readonly #startedAt: number;
  readonly #limits: readonly Limit[];

  constructor(startedAt: number, limits: readonly Limit[]) {
    this.#startedAt = startedAt;
    this.#limits = limits;
  }

  /** The limit that a call meets; null = none. */
  refusal(account: string, now: number): Met | null {
    const holds = this.met.find(
      (one) => one.account === account && now >= one.from && now < one.until,
    );
    if (holds) return holds;
    const due = this.#limits.find(
      (one) =>
        one.account === account &&
        now >= this.#startedAt + one.after * HOUR_MS &&
        !this.met.some(({ after }) => after === one.after),
    );
    if (!due) return null;
    const met = { ...due, from: now, until: now + due.lasts * HOUR_MS };
    this.met.push(met);
    return met;
  }

  /** The account was paid for. */
  pays(account: string, now: number): void {
    for (const one of this.met)
      if (one.account === account && one.kind === 'billing') one.until = Math.min(one.until, now);
  }
}
