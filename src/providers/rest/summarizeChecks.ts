import type { PrChecks } from '../../contract/forge/forge.ts';

/**
 * The outcome of one check. `skipped`: counts neither way; `stopped`: cancelled or out of date, so
 * not passed.
 */
export type CheckOutcome = 'passed' | 'failed' | 'pending' | 'skipped' | 'stopped';

/** Sums up the checks. `problem`: why some could not be read; empty = all were read. */
export function summarizeChecks(outcomes: readonly CheckOutcome[], problem = ''): PrChecks {
  const has = (...checkOutcomes: CheckOutcome[]) =>
    outcomes.some((outcome) => checkOutcomes.includes(outcome));
  if (has('failed', 'stopped')) return { state: 'red', reason: '' };
  if (problem !== '') return { state: 'unreadable', reason: problem };
  if (has('pending')) return { state: 'pending', reason: '' };
  return { state: has('passed') ? 'green' : 'none', reason: '' };
}

export const NO_CHECKS: PrChecks = { state: 'none', reason: '' };
