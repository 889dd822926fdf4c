import Type from 'typebox';
import { UNREPORTED } from '../policy/costs.ts';
import { describeMembers } from '../kit/describeMembers.ts';
import { Failures } from '../job/failures.ts';
import { IsoTime } from '../kit/isoTime.ts';

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
  { additionalProperties: false },
);
export type StatisticsQuery = Type.Static<typeof StatisticsQuery>;

const Outcomes = {
  complete: Type.Integer(),
  partial: Type.Integer(),
  failed: Type.Integer(),
  cancelled: Type.Integer(),
};
const outcomeTexts = {
  complete: 'Jobs that ended as complete.',
  partial: 'Campaigns that are complete, but not all of their sub-runs.',
  failed: 'Jobs that failed or escalated.',
  cancelled: 'Jobs that were cancelled.',
};
const Tokens = {
  inputTokens: Type.Integer(),
  outputTokens: Type.Integer(),
  unreported: Type.Integer(),
};
const tokenTexts = {
  inputTokens: 'Tokens in, cached ones included.',
  outputTokens: 'Tokens out.',
  unreported: UNREPORTED,
};

export const StatisticsDay = describeMembers(
  Type.Object({ day: Type.String(), created: Type.Integer(), ...Outcomes, ...Tokens }),
  {
    day: 'Such as 2026-11-22.',
    created: 'Jobs that were created.',
    ...outcomeTexts,
    ...tokenTexts,
  },
);
export type StatisticsDay = Type.Static<typeof StatisticsDay>;

export const StatisticsWorkflow = describeMembers(
  Type.Object({ workflow: Type.String(), ...Outcomes, meanMs: Type.Integer(), ...Tokens }),
  {
    workflow: 'Its path.',
    ...outcomeTexts,
    meanMs: 'Mean time from creation to the end, ms.',
    ...tokenTexts,
  },
);
export type StatisticsWorkflow = Type.Static<typeof StatisticsWorkflow>;

export const StatisticsWait = describeMembers(
  Type.Object({
    kind: Type.String(),
    count: Type.Integer(),
    meanMs: Type.Integer(),
    longestMs: Type.Integer(),
    totalMs: Type.Integer(),
  }),
  {
    kind: 'What was waited for: slot, approval, event, developer, …',
    count: 'How often.',
    meanMs: 'Mean, ms.',
    longestMs: 'Longest, ms.',
    totalMs: 'Together, ms.',
  },
);
export type StatisticsWait = Type.Static<typeof StatisticsWait>;

/** Reply of GET /statistics: jobs and sub-runs of a period. */
export const Statistics = describeMembers(
  Type.Object({
    from: IsoTime,
    to: IsoTime,
    days: Type.Array(StatisticsDay),
    workflows: Type.Array(StatisticsWorkflow),
    waits: Type.Array(StatisticsWait),
    waitsOf: Type.Integer(),
    jobs: Type.Integer(),
    failures: Failures,
  }),
  {
    from: 'Beginning of the first day.',
    to: 'Now.',
    days: 'Each day, oldest first; days on which nothing happened included.',
    workflows: 'Each workflow of which a job ended or used tokens, that with most jobs first.',
    waits: 'What jobs waited for, the longest together first; a wait that lasts counts until now.',
    waitsOf: 'How many jobs the waits are of: the newest ones, where there are more.',
    jobs: 'How many jobs changed in the period.',
    failures: 'What the number of failed jobs of all days consists of.',
  },
);
export type Statistics = Type.Static<typeof Statistics>;
