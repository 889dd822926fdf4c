import { createColumnCheck } from './createColumnCheck.ts';
import { KERNEL_GUARD, type Problem } from './rowGuard.ts';

/** Returns the problems of an `actors` row; empty = readable. */
export type ActorCheck = (row: Readonly<Record<string, unknown>>) => Problem[];

/** `charts`: those that exist, others make the row broken; null (the default) = any. */
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
