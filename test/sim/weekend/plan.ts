import type { BudgetMetric, Caps } from '../../../src/domain/budgetScopes.ts';
import type { Account } from './endpoint.ts';

/** What the agents of a job do; the scripts are in `scripts.ts`. */
export type Habit =
  /** Some calls in each phase, then the turn ends. */
  | 'steady'
  /** One call after the other, for ever. */
  | 'greedy'
  /** Asks for a new session after two calls, for ever. */
  | 'restless'
  /** Goes back to its first phase with a new commit each time, for ever. */
  | 'lapping'
  /** Registers sub-runs that work side by side. */
  | 'fanOut'
  /** Calls the same tool with the same result, for ever. */
  | 'sessionLooper'
  /** Goes back to its first phase, and nothing has changed. */
  | 'jobLooper';

/** A job of the weekend. */
export interface JobPlan {
  name: string;
  does: Habit;
  account: Account;
  /** Hours from the beginning at which it is started. */
  at: number;
  /** Caps in its params. */
  budget?: Caps;
  /** It works unattended until this time. */
  until?: string;
  /** It works in the repository that is capped. */
  inRepository?: boolean;
  /** Tokens of a call, and minutes between two. */
  tokens: number;
  minutes: number;
  /** What a person who looks in raises, by `scope.metric` of the budget that has stopped it. */
  raises?: Readonly<Record<string, number>>;
}

const BASE = { tokens: 100_000, minutes: 10 } as const;

const steady = (name: string, account: Account, at: number, more: Partial<JobPlan> = {}) =>
  ({ name, does: 'steady', account, at, tokens: 50_000, minutes: 6, ...more }) satisfies JobPlan;
const greedy = (
  name: string,
  account: Account,
  budget: Caps,
  more: Partial<JobPlan> = {},
): JobPlan => ({ ...BASE, name, does: 'greedy', account, at: 0, budget, ...more });

/** Twenty jobs; those that `steady` makes and the one that fans out can come to an end. */
export const JOBS: readonly JobPlan[] = [
  steady('steady 1', 'alpha', 0),
  steady('steady 2', 'alpha', 0, { inRepository: true }),
  steady('steady 3', 'beta', 0),
  steady('steady 4', 'beta', 2, { inRepository: true }),
  steady('steady 5', 'gamma', 5),
  steady('steady 6', 'gamma', 6, { inRepository: true }),
  steady('steady 7', 'alpha', 22),
  steady('steady 8', 'beta', 12, { inRepository: true }),
  steady('steady 9', 'gamma', 30, { inRepository: true }),
  {
    ...BASE,
    name: 'fan out',
    does: 'fanOut',
    account: 'beta',
    at: 1,
    budget: { campaign: { usd: 4 } },
  },
  greedy(
    'dollars',
    'alpha',
    { session: { usd: 0.7 }, job: { usd: 1.2 } },
    raising('session.usd', 5),
  ),
  greedy(
    'tokens',
    'beta',
    { session: { tokens: 350_000 }, job: { tokens: 900_000 } },
    raising('session.tokens', 3_000_000),
  ),
  greedy(
    'minutes',
    'gamma',
    { session: { minutes: 40 }, job: { minutes: 100 } },
    raising('session.minutes', 600),
  ),
  greedy('a phase', 'alpha', { phase: { usd: 1, tokens: 900_000 } }, raising('phase.usd', 20)),
  greedy('a slow phase', 'beta', { phase: { minutes: 50 } }),
  {
    ...BASE,
    name: 'restless',
    does: 'restless',
    account: 'gamma',
    at: 1,
    budget: { phase: { sessions: 2 }, job: { sessions: 5 } },
    raises: { 'phase.sessions': 20 },
  },
  {
    ...BASE,
    name: 'lapping',
    does: 'lapping',
    account: 'alpha',
    at: 6,
    budget: { phase: { visits: 3 }, job: { visits: 4 } },
    raises: { 'job.visits': 20 },
  },
  {
    ...BASE,
    name: 'session looper',
    does: 'sessionLooper',
    account: 'beta',
    at: 3,
    budget: { session: { tokens: 800_000 } },
  },
  { ...BASE, name: 'job looper', does: 'jobLooper', account: 'gamma', at: 11, tokens: 20_000 },
  greedy(
    'until',
    'beta',
    { job: { usd: 50 } },
    { at: 16, minutes: 30, tokens: 50_000, until: '2026-01-04T09:00:00Z' },
  ),
];

/** Caps of all jobs: each of them stops jobs in these 64 hours. */
export const CAPS: Caps = {
  day: { usd: 26 },
  week: { tokens: 20_000_000 },
  repository: { sessions: 7 },
  runner: { minutes: 2_000 },
};

/** What the person raises of these. */
export const RAISES: Readonly<Record<string, number>> = {
  'campaign.usd': 20,
  'repository.sessions': 50,
  'runner.minutes': 5_000,
};

/** Every cap of the weekend as `scope.metric`. */
export const CONFIGURED: readonly string[] = [
  ...new Set(
    [CAPS, ...JOBS.map(({ budget = {} }) => budget)].flatMap((caps) =>
      Object.entries(caps).flatMap(([scope, set]) =>
        Object.keys(set).map((metric) => `${scope}.${metric as BudgetMetric}`),
      ),
    ),
  ),
];

function raising(what: string, by: number): Partial<JobPlan> {
  return { raises: { [what]: by } };
}
