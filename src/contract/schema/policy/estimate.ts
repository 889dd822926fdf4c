import Type from 'typebox';
import { BUDGET_SCOPES } from '../../../base/spending/budgetScopes.ts';
import { describe, nullable } from '../kit/schemaKit.ts';

/** What is estimated of a job; dollars, tokens, numbers and minutes. */
const Runs = Type.Object({
  usd: nullable(
    Type.Number(),
    'Dollars of metered calls; null = too few of the runs have a known cost.',
  ),
  tokens: nullable(Type.Number(), 'Tokens, input and output.'),
  sessions: nullable(Type.Number(), 'Sessions of agents.'),
  minutes: nullable(Type.Number(), 'Minutes of sessions.'),
});

/** What a job may use: at worst, most likely, and what will stop it. */
export const Estimate = Type.Object({
  bound: Type.Object(
    {
      usd: nullable(Type.Number(), 'Dollars of metered calls; null = no bound.'),
      tokens: nullable(Type.Number(), 'Tokens; null = no bound.'),
      sessions: nullable(Type.Number(), 'Sessions of agents.'),
      minutes: nullable(Type.Number(), 'Minutes of sessions; null = no bound.'),
    },
    {
      description:
        'Worst case: visits x sessions x the caps of a session, or visits x those of a visit, over all phases with an agent.',
    },
  ),
  assumes: Type.Object(
    {
      visits: Type.Integer({ description: 'Visits of each phase, for one work item.' }),
      sessions: Type.Integer({ description: 'Sessions of each visit.' }),
      subRuns: Type.Integer({
        description: 'Sub-runs that the bound includes: those that the request names.',
      }),
    },
    { description: 'What the bound goes by. Smaller caps on visits and sessions apply.' },
  ),
  history: nullable(
    Type.Object({
      of: Type.Enum(['repository', 'workflow'], {
        description: '`repository`: runs of this workflow in this repository; `workflow`: in any.',
      }),
      runs: Type.Integer({ description: 'How many, the newest.' }),
      p50: describe(Runs, 'What half of them did not exceed.'),
      p90: describe(Runs, 'What nine of ten did not exceed.'),
    }),
    'What completed runs have used; null = fewer than 5.',
  ),
  stops: Type.Array(
    Type.Object({
      scope: Type.Enum([...BUDGET_SCOPES], { description: 'What the budget is of.' }),
      key: Type.String({ description: 'Whose: a repository; empty for all others.' }),
      window: Type.String({
        description: 'The day, or the Monday of the week, in UTC; else empty.',
      }),
      metric: Type.Enum(['usd', 'tokens', 'sessions', 'visits', 'minutes'], {
        description: 'What is counted.',
      }),
      cap: Type.Number({ description: 'The cap, raises included.' }),
      left: Type.Number({ description: 'What is left of it: neither spent nor held by others.' }),
    }),
    {
      description:
        'For each metric the cap that will stop the job first; a metric without a cap is left out.',
    },
  ),
  approvals: Type.Array(Type.String(), {
    description:
      'Phases at whose end the job will wait for a person, because they are not approved in advance.',
  }),
  text: Type.Array(Type.String(), { description: 'All of it in words, a sentence each.' }),
});
export type Estimate = Type.Static<typeof Estimate>;
