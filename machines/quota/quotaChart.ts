import type { ActorState, DurableChart } from '../../src/kernel/chart.ts';
import { quotaMachine } from './quota.ts';
import type { QuotaHit } from '../../src/base/agents/quotaKinds.ts';
import { mustCloseForFailures, closeForFailures, countFailureInRow } from './failureStreak.ts';
import type { AccountClosure, QuotaContext, QuotaEvent, QuotaFailure } from './quotaContext.ts';
import { closeForHit } from './closeForHit.ts';

/** Raise it with every change that older snapshots do not survive unmigrated. */
const QUOTA_CHART_VERSION = 1;

const endpoint = "the model's endpoint";
const SENDERS: Readonly<Record<QuotaEvent['type'], string>> = {
  'quota.hit': endpoint,
  'quota.failed': 'a session',
  'quota.worked': 'a session',
  'quota.seen': endpoint,
  'quota.answered': endpoint,
  'quota.waits': 'a job',
  'quota.opened': 'a developer',
  'quota.woken': 'the runner',
  'quota.due': 'a timer',
  'quota.room': 'a timer',
  'effect.givenUp': 'the kernel',
};

/** States in which no session starts, except for jobs that the account has woken. */
const CLOSED = ['throttled', 'exhausted', 'billing', 'failing', 'probing', 'waking'];

/** The kernel passes only what it stored under this chart's name. */
export const readQuotaContext = (state: ActorState): QuotaContext => state.context as QuotaContext;

/** A job that the account has not woken must wait. */
export const isAccountClosed = (state: ActorState): boolean => CLOSED.includes(String(state.value));

/** Even a job that the account has woken must wait: the limit still holds. */
export const isAccountUsedUp = (state: ActorState): boolean =>
  ['throttled', 'exhausted', 'billing', 'failing'].includes(String(state.value));

/** Running sessions must end, since short waits do not help. */
export const mustEndSessions = (state: ActorState): boolean =>
  ['exhausted', 'billing'].includes(String(state.value));

/** The closure that a hit brings in the account's present state. */
export function closeAfterHit(state: ActorState, hit: QuotaHit, now: number): AccountClosure {
  const { closed, failures } = readQuotaContext(state);
  const isProbe = state.value === 'probing';
  return closeForHit(
    isProbe ? { closed: null, failures: failures + 1 } : { closed, failures },
    hit,
    now,
  );
}

export interface FailureResult {
  count: number;
  /** The new closure; null = not closed. */
  closed: AccountClosure | null;
}

/** What a session that failed at once does to the account in its present state. */
export function decideAfterFailure(
  state: ActorState,
  failure: QuotaFailure,
  now: number,
): FailureResult {
  const context = readQuotaContext(state);
  const { count } = countFailureInRow(context, failure);
  if (state.value === 'failing') return { count, closed: context.closed };
  const takesOne = ['open', 'probing', 'waking'].includes(String(state.value));
  if (!takesOne || !mustCloseForFailures(context, failure)) return { count, closed: null };
  const { failures } = context;
  const isProbe = state.value === 'probing';
  return {
    count,
    closed: closeForFailures(
      isProbe ? { closed: null, failures: failures + 1 } : context,
      failure,
      now,
    ),
  };
}

export const quotaChart: DurableChart = {
  id: 'quota',
  version: QUOTA_CHART_VERSION,
  about:
    'One account at the endpoint of a model: it closes when a limit is met, tries again with one session after the reset, then wakes jobs in waves.',
  versions: { 1: 'limits of an account hold all of its sessions' },
  get machine() {
    return quotaMachine();
  },
  senders: SENDERS,
  guards: {
    moneyIsMissing: { readsEvent: true, says: 'the account is unpaid' },
    limitIsShort: { readsEvent: true, says: 'the limit is over in minutes' },
    limitLasts: { readsEvent: true, says: 'a window of hours or days is used up' },
    endsSooner: { readsEvent: true, says: 'the limit is over before the one that holds' },
    keepsFailing: {
      readsEvent: true,
      says: 'sessions of more than one job have ended at once with an error, one after another',
    },
    noneWaits: { readsEvent: true, says: 'no job waits for the account any more' },
    noneWasWoken: { readsEvent: true, says: 'no job waits for the account' },
    hasRoom: { readsEvent: false, says: 'less than 90 % of its window is used' },
    hasRoomAgain: { readsEvent: true, says: 'less than 90 % of its window is used again' },
  },
  index: (state) => ({
    label: String(state.value),
    kind: 'quota',
    parent: null,
    slot: false,
    waitingSince: null,
    activity: state.value === 'open' ? 'live' : 'parked',
  }),
  frames: () => [],
  createGivenUpEvent: ({ error }) => ({ type: 'effect.givenUp', error }),
  migrations: {},
};
