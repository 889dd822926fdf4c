import { capitalizeFirst } from '../../src/base/text/capitalizeFirst.ts';
import type { Exceeded } from '../../src/contract/schema/policy/exceeded.ts';
import type { JobSummary } from '../../src/contract/schema/job/job.ts';
import type { BudgetWarning } from '../../src/contract/schema/policy/budget.ts';
import type { Pool } from '../../src/contract/schema/policy/pool.ts';
import { formatJobTitle } from '../jobs/jobText.ts';
import type { Notice } from '../shell/notices/notifications.ts';
import { toJobHash } from '../shell/navigation/router.ts';
import {
  needsAccountRepair,
  formatAccountName,
  describeAccountState,
  formatWaitingJobs,
} from './accountText.ts';

/** Budgets that were nearly spent, as news. */
export const toWarningNotices = (warnings: readonly BudgetWarning[]): Notice[] =>
  warnings.map(({ scope, key, window, metric, at, job, text }) => ({
    key: `warning ${scope} ${key} ${window} ${metric} ${at}`,
    title: 'A budget is nearly spent',
    text: capitalizeFirst(text),
    hash: toJobHash(job),
  }));

/** Accounts whose limit lasts, or that wait for a person, as news. */
export const toAccountNotices = (accounts: readonly Pool[]): Notice[] =>
  accounts
    .filter((account) => account.state === 'exhausted' || needsAccountRepair(account))
    .map((account) => ({
      key: `pool ${account.id} ${account.state} ${account.limit?.since ?? ''}`,
      title: `${formatAccountName(account)}: ${describeAccountState(account).toLowerCase()}`,
      text: [`${formatWaitingJobs(account)}.`, account.limit?.error].filter(Boolean).join(' '),
      hash: '#/budgets',
    }));

const toExceededKey = ({ scope, key, window, metric, cap }: Exceeded): string =>
  `${scope} ${key} ${window} ${metric} ${cap}`;

/** Budgets of a day or week that stopped jobs, one notice each: the inbox does not list them. */
export const toBudgetStopNotices = (jobs: readonly JobSummary[]): Notice[] => {
  const byBudget = new Map<string, Notice>();
  for (const job of jobs) {
    const overrun = job.parked?.exceeded;
    if (!overrun || job.needs !== null) continue;
    const key = `stop ${toExceededKey(overrun)}`;
    if (!byBudget.has(key))
      byBudget.set(key, {
        key,
        title: `Budget spent: ${formatJobTitle(job)}`,
        text: capitalizeFirst(overrun.text),
        hash: toJobHash(job.id),
      });
  }
  return [...byBudget.values()];
};
