import type { Account } from '../endpoint.ts';
import { type JobPlan, type Kind, steps } from './kind.ts';

/** Calls in each of its phases. */
const CALLS = 6;

const steady = (
  name: string,
  account: Account,
  at: number,
  more: Partial<JobPlan> = {},
): Omit<JobPlan, 'does'> => ({
  name,
  account,
  at,
  tokens: 50_000,
  minutes: 6,
  ends: true,
  ...more,
});

/** Some calls in each phase, each with something to show for it; then the turn ends. */
export const STEADY: Kind = {
  does: 'steady',
  jobs: [
    steady('steady 1', 'alpha', 0),
    steady('steady 2', 'alpha', 0, { inRepository: true }),
    steady('steady 3', 'beta', 0),
    steady('steady 4', 'beta', 2, { inRepository: true }),
    steady('steady 5', 'gamma', 5),
    steady('steady 6', 'gamma', 6, { inRepository: true }),
    steady('steady 7', 'alpha', 22),
    steady('steady 8', 'gamma', 30.2, { inRepository: true }),
  ],
  play: (turn) => steps(turn, CALLS),
};
