import type { Exceeded } from '../../src/schema/exceeded.ts';
import type { JobSummary } from '../../src/schema/job.ts';
import type { BudgetWarning } from '../../src/schema/budget.ts';
import type { Pool } from '../../src/schema/pool.ts';
import { titleOfJob } from '../jobs/jobText.ts';
import type { Notice } from '../shell/notifications.ts';
import { jobHash } from '../shell/router.ts';
import { capital } from './budgetText.ts';
import { isForPeople, poolName, poolState, waitingText } from './poolText.ts';

/** Budgets that were nearly spent, as news. */
export const warningNotices = (warnings: readonly BudgetWarning[]): Notice[] =>
  warnings.map(({ scope, key, window, metric, at, job, text }) => ({
    key: `warning ${scope} ${key} ${window} ${metric} ${at}`,
    title: 'A budget is nearly spent',
    text: capital(text),
    hash: jobHash(job),
  }));

/** Accounts whose limit lasts, or that wait for a person, as news. */
export const poolNotices = (pools: readonly Pool[]): Notice[] =>
  pools
    .filter((pool) => pool.state === 'exhausted' || isForPeople(pool))
    .map((pool) => ({
      key: `pool ${pool.id} ${pool.state} ${pool.limit?.since ?? ''}`,
      title: `${poolName(pool)}: ${poolState(pool).toLowerCase()}`,
      text: [`${waitingText(pool)}.`, pool.limit?.error].filter(Boolean).join(' '),
      hash: '#/budgets',
    }));

const nameOf = ({ scope, key, window, metric, cap }: Exceeded): string =>
  `${scope} ${key} ${window} ${metric} ${cap}`;

/**
 * Budgets of a day or week that have stopped jobs, as news, one for each: their jobs need no person,
 * so the inbox does not tell of them.
 */
export const stopNotices = (jobs: readonly JobSummary[]): Notice[] => {
  const byBudget = new Map<string, Notice>();
  for (const job of jobs) {
    const exceeded = job.parked?.exceeded;
    if (!exceeded || job.needs !== null) continue;
    const key = `stop ${nameOf(exceeded)}`;
    if (!byBudget.has(key))
      byBudget.set(key, {
        key,
        title: `Budget spent: ${titleOfJob(job)}`,
        text: capital(exceeded.text),
        hash: jobHash(job.id),
      });
  }
  return [...byBudget.values()];
};
