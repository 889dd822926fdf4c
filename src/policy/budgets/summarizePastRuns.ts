import type { Tables } from '../../contract/records/tables.ts';
import type { TypedRows } from '../../kernel/typedRows.ts';
import type { EstimatedAmounts } from './computeBound.ts';
import { computeQuantile } from './likely.ts';

/** Fewest runs for an estimate. */
export const FEWEST_RUNS = 5;
/** Most runs that count, newest first. */
const MOST_RUNS = 100;

export interface PastRuns {
  of: 'repository' | 'workflow';
  runs: number;
  p50: EstimatedAmounts;
  p90: EstimatedAmounts;
}

type Rows = Pick<TypedRows<Tables>, 'all' | 'one'>;
type Sums = Tables['usage_sums'];

/** What the next run is likely to use, from earlier runs; null = too few. */
export function summarizePastRuns(
  rows: Rows,
  workflow: string,
  repo: string | null,
): PastRuns | null {
  const here = repo === null ? [] : listCompletedSums(rows, { workflow, repo });
  if (here.length >= FEWEST_RUNS) return summarizeRunSums('repository', here);
  const all = listCompletedSums(rows, { workflow });
  return all.length >= FEWEST_RUNS ? summarizeRunSums('workflow', all) : null;
}

/** A job's sums include its sub-runs. Jobs without a session do not count. */
const listCompletedSums = (rows: Rows, where: { workflow: string; repo?: string }): Sums[] =>
  rows
    .all(
      'job_list',
      { ...where, state: 'complete' },
      { order: 'since', desc: true, limit: MOST_RUNS },
    )
    .flatMap(({ job_id: key, parent }) => {
      const scope = parent === null ? 'campaign' : 'job';
      return rows.all('usage_sums', { scope, key, window: '' });
    });

function summarizeRunSums(of: PastRuns['of'], runs: readonly Sums[]): PastRuns {
  // Unknown is not 0: a run with an unpriced call says nothing about dollars.
  const pricedRuns = runs.filter(({ unpriced_calls }) => unpriced_calls === 0);
  const at = (share: number): EstimatedAmounts => ({
    usd:
      pricedRuns.length < FEWEST_RUNS
        ? null
        : computeQuantile(
            pricedRuns.map(({ micro_usd }) => micro_usd),
            share,
          ),
    tokens: computeQuantile(
      runs.map(({ tokens }) => tokens),
      share,
    ),
    sessions: computeQuantile(
      runs.map(({ sessions }) => sessions),
      share,
    ),
    minutes: computeQuantile(
      runs.map(({ ms }) => ms),
      share,
    ),
  });
  return { of, runs: runs.length, p50: at(0.5), p90: at(0.9) };
}
