import type { spendingRoutes } from '../../routes/spendingRoutes.ts';
import type { Handlers } from '../handler.ts';

export const spendingHandlers = {
  statistics: ({ query }, { runner }) => runner.statistics(query),
  budgets: ({ query }, { runner }) => runner.budgets(query),
  setBudget: ({ params, body, by }, { runner }) => runner.setBudget(params.scope, body, by),
  costs: ({ query }, { runner }) => runner.costs(query),
  report: ({ query }, { runner }) => runner.report(query),
  accounts: (_request, { runner }) => runner.pools(),
  retryAccount: ({ body }, { runner }) => runner.openPool(body.pool),
} satisfies Handlers<typeof spendingRoutes>;
