import type { Config } from '../config/configSchema.ts';
import { type ChosenValue, toChosenValue } from './chosenValues.ts';
import { proposeStarterBudgets } from './starterBudgets.ts';

/** How often a new home cleans up; what is removed when are the defaults of `retention`. */
export const STARTER_CLEANUP = '24h';

/** What the wizard says of {@link STARTER_CLEANUP}. */
export const STARTER_CLEANUP_NOTE =
  'The runner removes folders of ended jobs after 14 days, and saves what is not pushed first.';

/**
 * What a new configuration gets beside the answers: caps, and cleanup on a schedule. A configuration with caps
 * is not new: its home keeps what it keeps until a person decides.
 */
export function proposeStarterSettings({
  budgets,
  retention,
}: Pick<Config, 'budgets' | 'retention'>): ChosenValue[] {
  const caps = proposeStarterBudgets(budgets);
  return caps.length === 0 || retention.every !== null
    ? caps
    : [...caps, toChosenValue(['retention', 'every'], STARTER_CLEANUP)];
}

/** Whether a value is what switches cleanup on. */
export const isCleanup = ({ path }: ChosenValue): boolean => path.join('.') === 'retention.every';
