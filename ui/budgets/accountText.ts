import type { Pool } from '../../src/contract/schema/policy/pool.ts';

const STATES: Readonly<Record<Pool['state'], string>> = {
  open: 'Open',
  throttled: 'Too many requests',
  exhausted: 'Used up',
  billing: 'Unpaid',
  failing: 'Sessions fail immediately',
  probing: 'Trying again',
  waking: 'Available again; jobs continue one by one',
};

const TONES: Readonly<Record<Pool['state'], string>> = {
  open: 'good',
  throttled: 'needs-you',
  exhausted: 'needs-you',
  billing: 'bad',
  failing: 'bad',
  probing: 'working',
  waking: 'working',
};

export const describeAccountState = ({ state }: Pick<Pool, 'state'>): string => STATES[state];
export const pickAccountTone = ({ state }: Pick<Pool, 'state'>): string => TONES[state];

/** Where the account is: `api.anthropic.com`. */
const toAccountHost = (origin: string): string =>
  URL.canParse(origin) ? new URL(origin).host : origin;

/** An account in a few words: `api.anthropic.com (1a2b3c)`, the start of the hash of its key. */
export const formatAccountName = ({ origin, account }: Pick<Pool, 'origin' | 'account'>): string =>
  account === 'none' ? toAccountHost(origin) : `${toAccountHost(origin)} (${account.slice(0, 6)})`;

/** A person has to see to the account: waiting does not help, or only by chance. */
export const needsAccountRepair = ({ state }: Pick<Pool, 'state'>): boolean =>
  state === 'billing' || state === 'failing';

/** Accounts through which not all sessions start: those that wait for a person first. */
export const listClosedAccounts = (accounts: readonly Pool[]): Pool[] =>
  accounts
    .filter(({ state }) => state !== 'open')
    .sort(
      (a, b) =>
        Number(needsAccountRepair(b)) - Number(needsAccountRepair(a)) || b.waiting - a.waiting,
    );

export const formatWaitingJobs = ({ waiting }: Pick<Pool, 'waiting'>): string =>
  waiting === 1 ? '1 job waits' : `${waiting} jobs wait`;
