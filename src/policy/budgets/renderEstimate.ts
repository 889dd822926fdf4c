import { describeBudgetOwner } from '../../base/spending/describeBudgetOwner.ts';
import { formatAmount } from '../../base/spending/budgetScopes.ts';
import type { Account } from './admitSession.ts';
import {
  type AssumedCounts,
  ESTIMATED_METRICS,
  type EstimatedAmounts,
  type EstimatedMetric,
} from './computeBound.ts';
import { FEWEST_RUNS, type PastRuns } from './summarizePastRuns.ts';

/** An estimate before it is put into words, in units of the ledger. */
export interface Estimation {
  bound: EstimatedAmounts;
  assumed: AssumedCounts;
  /** Sub-runs in the bound; null = some are not known yet. */
  subRuns: number | null;
  history: PastRuns | null;
  stops: readonly Account[];
  /** Phases whose sessions can exceed a cap on dollars or tokens, and by how much. */
  overshoots: readonly { by: string; phases: readonly string[] }[];
}

const NAMES: Readonly<Record<EstimatedMetric, string>> = {
  usd: 'dollars',
  tokens: 'tokens',
  sessions: 'sessions',
  minutes: 'minutes',
};

const joinWithAnd = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const formatEstimatedAmounts = (amounts: EstimatedAmounts): string =>
  joinWithAnd(
    ESTIMATED_METRICS.flatMap((metric) => {
      const count = amounts[metric];
      return count === null ? [] : [formatAmount(metric, count)];
    }),
  );

function describeBounds({ bound, assumed, subRuns }: Estimation): string[] {
  const without = ESTIMATED_METRICS.filter((metric) => bound[metric] === null);
  const { visits, sessions } = assumed;
  const each = `${formatAmount('visits', visits)} of each phase for a work item, ${formatAmount('sessions', sessions)} a visit`;
  const all =
    subRuns === null || subRuns === 0
      ? ''
      : `, ${subRuns} ${subRuns === 1 ? 'sub-run' : 'sub-runs'} included`;
  return [
    `At worst ${formatEstimatedAmounts(bound)}: ${each}${all}.`,
    ...(without.length === 0
      ? []
      : [
          `No bound for ${joinWithAnd(without.map((metric) => NAMES[metric]))}: no session and no visit has a cap on them, or a phase does not report them.`,
        ]),
    ...(subRuns === null ? ['Sub-runs that its agents make are not included.'] : []),
  ];
}

const describeRunHistory = (history: PastRuns | null): string =>
  history === null
    ? `No history: fewer than ${FEWEST_RUNS} runs of this workflow have completed.`
    : `Half of the last ${history.runs} completed runs of this workflow${history.of === 'repository' ? ' in this repository' : ''} used at most ${formatEstimatedAmounts(history.p50)}; nine of ten at most ${formatEstimatedAmounts(history.p90)}.${history.p50.usd === null ? ' What they have cost is not known.' : ''}`;

function describeBudgetStop({ scope, key, window, metric, cap, spent, held }: Account): string {
  const name =
    scope === 'job' || scope === 'campaign'
      ? `the budget of the ${scope}`
      : `the budget of ${describeBudgetOwner({ scope, key, window, metric })}`;
  const remaining = Math.max(0, cap - spent - held);
  return remaining === cap
    ? `${formatAmount(metric, cap)} (${name})`
    : `${formatAmount(metric, remaining)} (what is left of ${formatAmount(metric, cap)}, ${name})`;
}

export const renderEstimate = (estimation: Estimation): string[] => [
  ...describeBounds(estimation),
  describeRunHistory(estimation.history),
  estimation.stops.length === 0
    ? 'No limit stops the job as a whole.'
    : `It is stopped at ${joinWithAnd(estimation.stops.map(describeBudgetStop))}.`,
  ...estimation.overshoots.map(
    ({ by, phases }) => `A session of ${joinWithAnd(phases)} can exceed its caps by ${by}.`,
  ),
];
