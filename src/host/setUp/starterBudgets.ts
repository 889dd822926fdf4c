import type { Config } from '../config/configSchema.ts';
import {
  BUDGET_SCOPES,
  METRICS_OF,
  formatWrittenAmount,
} from '../../base/spending/budgetScopes.ts';
import { type ChosenValue, toChosenValue } from './chosenValues.ts';

/** Caps on dollars of a new configuration, and what caps are multiplied by for headless jobs. */
export const STARTER_BUDGETS = {
  job: { usd: 10 },
  campaign: { usd: 50 },
  day: { usd: 50 },
  headlessFactor: 0.5,
} as const;

const listCaps = (budgets: Config['budgets']): string[] =>
  BUDGET_SCOPES.flatMap((scope) =>
    METRICS_OF[scope].flatMap((metric) => {
      const cap = Object.hasOwn(budgets[scope], metric) ? budgets[scope][metric] : undefined;
      return cap === undefined ? [] : [`${formatWrittenAmount(metric, cap)} a ${scope}`];
    }),
  );

/** The caps that a new configuration gets; none if a person has set one. */
export function proposeStarterBudgets(budgets: Config['budgets']): ChosenValue[] {
  if (listCaps(budgets).length > 0) return [];
  const { job, campaign, day, headlessFactor } = STARTER_BUDGETS;
  return [
    toChosenValue(['budgets', 'job', 'usd'], job.usd),
    toChosenValue(['budgets', 'campaign', 'usd'], campaign.usd),
    toChosenValue(['budgets', 'day', 'usd'], day.usd),
    toChosenValue(['budgets', 'headlessFactor'], headlessFactor),
  ];
}

/** The caps that apply, or that the wizard is about to write, as one sentence. */
export function describeCaps(budgets: Config['budgets']): string {
  const own = listCaps(budgets);
  const { job, campaign, day, headlessFactor } = STARTER_BUDGETS;
  const dollars = (cap: { usd: number }): string => formatWrittenAmount('usd', cap.usd);
  const starter = `${dollars(job)} a job, ${dollars(campaign)} a campaign, ${dollars(day)} a day`;
  const factor = own.length > 0 ? budgets.headlessFactor : headlessFactor;
  const headless =
    factor === 1
      ? ''
      : factor === 0.5
        ? '; half of that for unattended jobs'
        : `; ${Math.round(factor * 100)} % of that for unattended jobs`;
  return `Jobs stop and ask at ${own.length > 0 ? own.join(', ') : starter}${headless}.`;
}
