import { createColumnCheck } from './createColumnCheck.ts';
import { KERNEL_GUARD, type Problem } from './rowGuard.ts';

/** Answers what is wrong with the columns that a row of `actors` has; empty = it can be read. */
export type ActorCheck = (row: Readonly<Record<string, unknown>>) => Problem[];

/**
 * The check of rows of `actors`. `charts`: those that exist, so that a row of another one is broken;
 * null, the default = any may.
 */
export function createActorCheck(charts: readonly string[] | null = null): ActorCheck {
  const { findRowProblems } = KERNEL_GUARD;
  if (charts === null) return (row) => findRowProblems('actors', row);
  const checkChart = createColumnCheck({
    oneOf: Object.fromEntries(charts.map((chart) => [chart, true])),
  });
  return (row) => {
    const problems = findRowProblems('actors', row);
    if (row.chart === undefined || problems.some(({ column }) => column === 'chart'))
      return problems;
    const what = checkChart(row.chart);
    return what === null ? problems : [...problems, { column: 'chart', what }];
  };
}
