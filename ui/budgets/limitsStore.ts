import { createStore } from '@xstate/store';
import type {
  BudgetList,
  BudgetView,
  BudgetWarning,
} from '../../src/contract/schema/policy/budget.ts';
import type { Pool } from '../../src/contract/schema/policy/pool.ts';

interface Limits {
  /** Those of all jobs; null until they were read. */
  budgets: readonly BudgetView[] | null;
  warnings: readonly BudgetWarning[];
  /** Accounts at the endpoints of models; null until they were read. */
  accounts: readonly Pool[] | null;
  /** What kept them from being read; null = nothing. */
  problem: unknown;
}

export const createLimitsStore = () =>
  createStore({
    context: { budgets: null, warnings: [], accounts: null, problem: null } as Limits,
    on: {
      read: (_, event: { list: BudgetList; accounts: readonly Pool[] }): Limits => ({
        budgets: event.list.budgets,
        warnings: event.list.warnings ?? [],
        accounts: event.accounts,
        problem: null,
      }),
      unreadable: (context, event: { problem: unknown }): Limits => ({
        ...context,
        problem: event.problem,
      }),
    },
  });

export type LimitsStore = ReturnType<typeof createLimitsStore>;
