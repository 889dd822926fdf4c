import Type from 'typebox';
import { closed, describe, IsoTime } from '../kit/schemaKit.ts';
import { UNREPORTED } from '../policy/costs.ts';
import { Failures } from '../job/failures.ts';

/** Most days that statistics look back. */
export const MAX_STATISTICS_DAYS = 365;
/** Minutes east of UTC that a time zone can lie. */
const MAX_OFFSET_MIN = 14 * 60;

export const StatisticsQuery = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_STATISTICS_DAYS,
        description: 'How many days, today included; default 30.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: -MAX_OFFSET_MIN,
        maximum: MAX_OFFSET_MIN,
        description: 'Minutes east of UTC by which days begin; default 0.',
      }),
    ),
  },
  closed,
);
export type StatisticsQuery = Type.Static<typeof StatisticsQuery>;

const Outcomes = {
  complete: Type.Integer({ description: 'Jobs that ended as complete.' }),
  partial: Type.Integer({
    description: 'Campaigns that are complete, but not all of their sub-runs.',
  }),
  failed: Type.Integer({ description: 'Jobs that failed or escalated.' }),
  cancelled: Type.Integer({ description: 'Jobs that were cancelled.' }),
};
const Tokens = {
  inputTokens: Type.Integer({ description: 'Tokens in, cached ones included.' }),
  outputTokens: Type.Integer({ description: 'Tokens out.' }),
  unreported: Type.Integer({ description: UNREPORTED }),
};

export const StatisticsDay = Type.Object({
  day: Type.String({ description: 'Such as 2026-11-22.' }),
  created: Type.Integer({ description: 'Jobs that were created.' }),
  ...Outcomes,
  ...Tokens,
});
export type StatisticsDay = Type.Static<typeof StatisticsDay>;

export const StatisticsWorkflow = Type.Object({
  workflow: Type.String({ description: 'Its path.' }),
  ...Outcomes,
  meanMs: Type.Integer({ description: 'Mean time from creation to the end, ms.' }),
  ...Tokens,
});
export type StatisticsWorkflow = Type.Static<typeof StatisticsWorkflow>;

export const StatisticsWait = Type.Object({
  kind: Type.String({ description: 'What was waited for: slot, approval, event, developer, …' }),
  count: Type.Integer({ description: 'How often.' }),
  meanMs: Type.Integer({ description: 'Mean, ms.' }),
  longestMs: Type.Integer({ description: 'Longest, ms.' }),
  totalMs: Type.Integer({ description: 'Together, ms.' }),
});
export type StatisticsWait = Type.Static<typeof StatisticsWait>;

/** Reply of GET /statistics: jobs and sub-runs of a period. */
export const Statistics = Type.Object({
  from: describe(IsoTime, 'Beginning of the first day.'),
  to: describe(IsoTime, 'Now.'),
  days: Type.Array(StatisticsDay, {
    description: 'Each day, oldest first; days on which nothing happened included.',
  }),
  workflows: Type.Array(StatisticsWorkflow, {
    description: 'Each workflow of which a job ended or used tokens, that with most jobs first.',
  }),
  waits: Type.Array(StatisticsWait, {
    description:
      'What jobs waited for, the longest together first; a wait that lasts counts until now.',
  }),
  waitsOf: Type.Integer({
    description: 'How many jobs the waits are of: the newest ones, where there are more.',
  }),
  jobs: Type.Integer({ description: 'How many jobs changed in the period.' }),
  failures: describe(Failures, 'What the number of failed jobs of all days consists of.'),
});
export type Statistics = Type.Static<typeof Statistics>;
