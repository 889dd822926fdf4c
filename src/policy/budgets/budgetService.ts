import { toIsoTimeOrNull } from '../../base/time/toIsoTime.ts';
import { BUDGET_TIMER, type JobContext } from '../../../machines/index.ts';
import type { Account } from './admitSession.ts';
import type { Budgets } from './budgets.ts';
import { type CapChange, toCapRow } from './capRow.ts';
import { computeNextWindow, resolveBudgetWindow } from './resolveBudgetWindow.ts';
import type { Runner } from '../../contract/runner/runner.ts';
import { describeBudgetOwner } from '../../base/spending/describeBudgetOwner.ts';
import {
  BUDGET_METRICS,
  type BudgetScope,
  toCountedAmount,
  METRICS_OF,
  toWrittenAmount,
} from '../../base/spending/budgetScopes.ts';
import type { ActorState } from '../../kernel/chart.ts';
import type { BudgetStopReader } from './budgetStopReader.ts';
import type { RowReader } from '../../contract/records/rowReader.ts';
import { SvcError } from '../../base/errors/errors.ts';
import type { RowChange, KernelUse } from '../../contract/records/changes.ts';
import type {
  BudgetView,
  BudgetWarning,
  SetBudgetBody,
} from '../../contract/schema/policy/budget.ts';

interface BudgetServiceDeps {
  kernel: KernelUse;
  rows: RowReader;
  stops: Pick<BudgetStopReader, 'listStoppedBy'>;
  budgets: Budgets;
  slots: { look(): void };
  readState(jobId: string): ActorState<JobContext>;
  now(): number;
}

const MOST_WARNINGS = 50;

/** Scopes without a key. */
const WHOLE: readonly BudgetScope[] = ['day', 'week', 'runner'];

export const createBudgetService = (
  deps: BudgetServiceDeps,
): Pick<Runner, 'budgets' | 'setBudget'> => {
  const { kernel, rows, stops, budgets, slots, readState, now } = deps;

  const toView = (account: Account): BudgetView => {
    const { scope, key, window, metric, cap, spent, held, by } = account;
    const next = computeNextWindow(scope, now());
    return {
      scope,
      key,
      window,
      metric,
      cap: toWrittenAmount(metric, cap),
      spent: toWrittenAmount(metric, spent),
      held: toWrittenAmount(metric, held),
      by,
      until: toIsoTimeOrNull(next),
    };
  };

  const warnings = (): BudgetWarning[] =>
    rows
      .all('budget_warnings', {}, { order: 'at', desc: true, limit: MOST_WARNINGS })
      .map(({ scope, key, window, metric, at, job_id, text }) => ({
        scope,
        key,
        window,
        metric,
        at: new Date(at).toISOString(),
        job: job_id,
        text,
      }));

  /** Jobs that this budget has stopped. */
  const listStopped = (scope: BudgetScope, key: string): string[] =>
    stops.listStoppedBy(scope, key, BUDGET_TIMER);

  /** The budgets of one scope that have a cap. */
  const listCapped = (scope: BudgetScope, key: string): Account[] =>
    (WHOLE.includes(scope) || scope === 'repository'
      ? budgets.listShared(scope === 'repository' ? key : null)
      : scope === 'job' || scope === 'campaign'
        ? budgets.accounts(readState(key).context)
        : []
    ).filter((account) => account.scope === scope && account.key === key);

  return {
    budgets: ({ job }) =>
      job === undefined
        ? { budgets: budgets.listShared().map(toView), warnings: warnings() }
        : { budgets: budgets.accounts(readState(job).context).map(toView) },
    async setBudget(scope, body, { by }) {
      const key = requireBudgetKey(scope, body.key);
      if (scope === 'job' || scope === 'campaign') readState(key);
      const changes = listCapChanges(scope, body);
      const at = now();
      const window = resolveBudgetWindow(scope, at);
      const cappedMetrics = new Set(listCapped(scope, key).map(({ metric }) => metric));
      for (const { metric, cap } of changes)
        if (cap === undefined && !cappedMetrics.has(metric))
          throw new SvcError(
            'invalid',
            `The budget of ${describeBudgetOwner({ scope, key, window, metric })} has no cap of ${metric} to raise. Set one first: in the configuration (budgets.${scope}), on the page Budgets, or with PUT /budgets/${scope}.`,
            { errors: [{ pointer: `/raise/${metric}`, message: 'no such cap exists' }] },
          );
      const buildCapRows = () =>
        changes.map(
          (change): RowChange => ({
            op: 'put',
            table: 'budget_caps',
            row: toCapRow(rows, { scope, key, window, ...change }, at, by),
          }),
        );
      const sends = listStopped(scope, key).map((to) => ({
        to,
        event: { type: 'budget.renewed' },
      }));
      await budgets.runChange(buildCapRows, (rowChanges) =>
        kernel.submit({ rows: rowChanges, sends }),
      );
      slots.look();
      return { budgets: listCapped(scope, key).map(toView) };
    },
  };
};

function requireBudgetKey(scope: BudgetScope, key: string | undefined): string {
  if (WHOLE.includes(scope)) {
    if (key === undefined || key === '') return '';
    throw new SvcError('invalid', `The budget of a ${scope} has no key.`, {
      errors: [{ pointer: '/key', message: 'leave it out' }],
    });
  }
  if (scope === 'job' || scope === 'campaign' || scope === 'repository') {
    if (key !== undefined && key !== '') return key;
    throw new SvcError('invalid', `Name the scope of the budget.`, {
      errors: [
        { pointer: '/key', message: `is required: ${scope === 'repository' ? 'a slug' : 'a job'}` },
      ],
    });
  }
  throw new SvcError(
    'invalid',
    `Caps of a ${scope} are set in the configuration, a workflow or params. Raise one with a resume of the job that it has stopped.`,
  );
}

function listCapChanges(
  scope: BudgetScope,
  { caps = {}, raise = {} }: SetBudgetBody,
): Pick<CapChange, 'metric' | 'cap' | 'raise'>[] {
  const changes = BUDGET_METRICS.flatMap(
    (metric): Pick<CapChange, 'metric' | 'cap' | 'raise'>[] => {
      const cap = caps[metric];
      const more = raise[metric];
      if (cap === undefined && more === undefined) return [];
      if (!METRICS_OF[scope].includes(metric))
        throw new SvcError('invalid', `The budget of a ${scope} has no cap of ${metric}.`);
      return [
        {
          metric,
          ...(cap === undefined ? {} : { cap: cap === null ? null : toCountedAmount(metric, cap) }),
          ...(more === undefined ? {} : { raise: toCountedAmount(metric, more) }),
        },
      ];
    },
  );
  if (changes.length === 0)
    throw new SvcError('invalid', 'Nothing to change: give `caps` or `raise`.');
  return changes;
}
