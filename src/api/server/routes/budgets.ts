import { BUDGET_SCOPES } from '../../../shared/spending/budgetScopes.ts';
import { SvcError } from '../../../shared/errors/errors.ts';
import { BudgetList, BudgetsQuery, SetBudgetBody } from '../../../contract/schema/policy/budget.ts';
import { readCaller } from '../gates/access.ts';
import { defineJsonRoute } from '../route.ts';

/** What jobs may spend. */
export const budgetRoutes = [
  defineJsonRoute({
    name: 'budgets',
    access: 'read',
    method: 'GET',
    path: '/budgets',
    summary:
      'Budgets with what is spent and held of them: those that a job is under, or, without `job`, those of day, week, runner and repositories.',
    query: BudgetsQuery,
    reply: BudgetList,
    refusals: ['not-found'],
    handle: ({ query }, { runner }) => runner.budgets(query),
  }),
  defineJsonRoute({
    name: 'setBudget',
    access: 'write',
    method: 'PUT',
    path: '/budgets/:scope',
    summary:
      'Sets caps of a job, campaign, repository, day, week or the runner, or raises them by an amount. Jobs that the budget has stopped continue where enough is left.',
    body: SetBudgetBody,
    reply: BudgetList,
    refusals: ['not-found', 'stopping', 'store-failed'],
    handle: ({ params, body, ctx }, { runner }) => {
      const scope = BUDGET_SCOPES.find((known) => known === params.scope);
      if (scope === undefined)
        throw new SvcError('not-found', `Known: ${BUDGET_SCOPES.join(', ')}.`);
      return runner.setBudget(scope, body, readCaller(ctx));
    },
  }),
];
