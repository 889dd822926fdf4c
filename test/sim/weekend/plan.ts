import type { BudgetMetric, Caps } from '../../../src/base/spending/budgetScopes.ts';
import { JOBS } from './agents/index.ts';
import type { JobPlan } from './agents/kind.ts';
import { LIMITS, type Limit } from './endpoint.ts';

/** What is planned of a weekend. */
export interface Plan {
  jobs: readonly JobPlan[];
  /** Caps of all jobs. */
  caps: Caps;
  limits: readonly Limit[];
  hours: number;
  /** Of the runner's process: half at any time, half just after the next commit. */
  kills: number;
}

/** The whole weekend: each of its caps stops jobs in these hours. */
export const WHOLE: Plan = {
  jobs: JOBS,
  caps: {
    day: { usd: 26 },
    week: { tokens: 18_000_000 },
    repository: { sessions: 7 },
    runner: { minutes: 1_600 },
  },
  limits: LIMITS,
  hours: 64,
  kills: 30,
};

/** What the person raises of the caps of all jobs, and of campaigns. */
export const RAISES: Readonly<Record<string, number>> = {
  'campaign.usd': 20,
  'repository.sessions': 50,
  'runner.minutes': 5_000,
  'week.tokens': 50_000_000,
};

/** Every cap of the plan as `scope.metric`. */
export const capsSet = ({ caps, jobs }: Plan): string[] => [
  ...new Set(
    [caps, ...jobs.map(({ budget = {} }) => budget)].flatMap((all) =>
      Object.entries(all).flatMap(([scope, set]) =>
        Object.keys(set).map((metric) => `${scope}.${metric as BudgetMetric}`),
      ),
    ),
  ),
];
