import Type from 'typebox';
import { BUDGET_SCOPES } from '../../../shared/spending/budgetScopes.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { nullable } from '../kit/nullable.ts';

/** What is estimated of a job; dollars, tokens, numbers and minutes. */
const Amounts = {
  usd: nullable(Type.Number()),
  tokens: nullable(Type.Number()),
  sessions: nullable(Type.Number()),
  minutes: nullable(Type.Number()),
};

const Runs = describeMembers(Type.Object(Amounts), {
  usd: 'Dollars of metered calls; null = too few of the runs have a known cost.',
  tokens: 'Tokens, input and output.',
  sessions: 'Sessions of agents.',
  minutes: 'Minutes of sessions.',
});

/** What a job may use: at worst, most likely, and what will stop it. */
export const Estimate = describeMembers(
  Type.Object({
    bound: describeMembers(Type.Object(Amounts), {
      usd: 'Dollars of metered calls; null = no bound.',
      tokens: 'Tokens; null = no bound.',
      sessions: 'Sessions of agents.',
      minutes: 'Minutes of sessions; null = no bound.',
    }),
    assumes: describeMembers(
      Type.Object({ visits: Type.Integer(), sessions: Type.Integer(), subRuns: Type.Integer() }),
      {
        visits: 'Visits of each phase, for one work item.',
        sessions: 'Sessions of each visit.',
        subRuns: 'Sub-runs that the bound includes: those that the request names.',
      },
    ),
    history: nullable(
      describeMembers(
        Type.Object({
          of: Type.Enum(['repository', 'workflow']),
          runs: Type.Integer(),
          p50: Runs,
          p90: Runs,
        }),
        {
          of: '`repository`: runs of this workflow in this repository; `workflow`: in any.',
          runs: 'How many, the newest.',
          p50: 'What half of them did not exceed.',
          p90: 'What nine of ten did not exceed.',
        },
      ),
    ),
    stops: Type.Array(
      describeMembers(
        Type.Object({
          scope: Type.Enum([...BUDGET_SCOPES]),
          key: Type.String(),
          window: Type.String(),
          metric: Type.Enum(['usd', 'tokens', 'sessions', 'visits', 'minutes']),
          cap: Type.Number(),
          left: Type.Number(),
        }),
        {
          scope: 'What the budget is of.',
          key: 'Whose: a repository; empty for all others.',
          window: 'The day, or the Monday of the week, in UTC; else empty.',
          metric: 'What is counted.',
          cap: 'The cap, raises included.',
          left: 'What is left of it: neither spent nor held by others.',
        },
      ),
    ),
    approvals: Type.Array(Type.String()),
    text: Type.Array(Type.String()),
  }),
  {
    bound:
      'Worst case: visits x sessions x the caps of a session, or visits x those of a visit, over all phases with an agent.',
    assumes: 'What the bound goes by. Smaller caps on visits and sessions apply.',
    history: 'What completed runs have used; null = fewer than 5.',
    stops:
      'For each metric the cap that will stop the job first; a metric without a cap is left out.',
    approvals:
      'Phases at whose end the job will wait for a person, because they are not approved in advance.',
    text: 'All of it in words, a sentence each.',
  },
);
export type Estimate = Type.Static<typeof Estimate>;
